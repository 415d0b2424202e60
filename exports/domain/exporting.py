"""What a project can be exported as."""

FORMATS = ("sws", "assay")
ENDINGS = {"sws": "json", "assay": "jsonl"}
ALL = "all"  # splits
