"""What leads read of releases and systems."""

from annotator.domain.activity import Place, Words

PLACES = {
    "release": Place("releases", "project", names=("number",), called="release {0}"),
    "systemrun": Place("releases", "release__project", names=("system",), called="“{0}”"),
    "card": Place("releases", "project", called="the card"),
    "webhook": Place("project", "project", called="a webhook"),
}
SAID = {
    "release.drafted": Words("drafted {about}"),
    "release.changed": Words("changed the draft of {about}"),
    "release.built": Words("built {about}"),
    "release.frozen": Words("froze {about}"),
    "release.withdrawn": Words("withdrew {about}"),
    "release.dropped": Words("dropped the draft {number}", "releases"),
    "release.imported": Words("made {about} of gold from elsewhere"),
    "card.changed": Words("changed {about}"),
    "run.submitted": Words("sent predictions of {about}"),
    "run.scored": Words("scored {about}"),
    "run.refused": Words("could not score {about}"),
    "webhook.made": Words("made {about}: {news}"),
    "webhook.paused": Words("paused {about}"),
    "webhook.resumed": Words("let {about} go on"),
    "webhook.ended": Words("ended {about}"),
    "webhook.gone": Words("ended {about}, whose address wants no more"),
    "webhook.secret_changed": Words("gave {about} another secret"),
    "webhook.tested": Words("sent a test message to {about}"),
    "webhook.sent_again": Words("sent a message to {about} again"),
}
