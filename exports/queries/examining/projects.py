"""All that is looked at of a project."""

from annotator.models import Project
from exports.queries.examining.answers import examine_answers, examine_submissions
from exports.queries.examining.chains import examine_chains
from exports.queries.examining.examined import Check, Examined, Progress, examined_by
from exports.queries.examining.gold import examine_decisions, examine_merges
from exports.queries.examining.losses import examine_losses
from exports.queries.examining.passages import examine_passages
from exports.queries.examining.releases import examine_releases

OF_PROJECTS: dict[str, Check] = {
    "event chains": examine_chains,
    "answers": examine_answers,
    "submissions": examine_submissions,
    "lost work": examine_losses,
    "passages": examine_passages,
    "merges": examine_merges,
    "decisions": examine_decisions,
    "releases": examine_releases,
}


def examine_project(project: Project, progress: Progress = lambda done, total: None) -> list[Examined]:
    return examined_by(OF_PROJECTS, project=project, progress=progress)
