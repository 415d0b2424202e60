"""How long a text may be, in code points: named here once, for the domain, tables, forms, templates and scripts."""

MAX_SUBSTITUTE_LENGTH = 200
MAX_NOTE_LENGTH = 2_000
MAX_REMARK_LENGTH = 2_000  # of a discard
MAX_QUESTION_LENGTH = 2_000  # and of its answer
MAX_COMMENT_LENGTH = 2_000  # on a passage, among adjudicators
MAX_GUIDELINES_LENGTH = 100_000
MAX_POLICY_LENGTH = 2_000  # on looking things up
MAX_PASSAGE_LENGTH = 20_000  # and of the texts that go with it
MAX_ID_LENGTH = 200  # of a passage, and of its group
MAX_NAME_LENGTH = 100  # of a person; a voice's is its pseudonym
MAX_TYPE_LENGTH = 50  # of a type's key, and of its name
MAX_TYPE_HINT_LENGTH = 100
MAX_PROJECT_NAME_LENGTH = 200
MAX_FILE_NAME_LENGTH = 200
MAX_EMAIL_LENGTH = 254
MAX_PASSWORD_LENGTH = 4_096
MAX_SEARCH_LENGTH = 200
