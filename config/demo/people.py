"""The demo's cast: a lead, an adjudicator, three annotators with open work, and seven voices."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    email: str
    name: str
    role: str


PEOPLE = (
    Person("nora@demo.invalid", "Nora Lindqvist", "lead"),
    Person("tomas@demo.invalid", "Tomas Adler", "adjudicator"),
    Person("lena@demo.invalid", "Lena Marsh", "annotator"),
    Person("kofi@demo.invalid", "Kofi Mensah", "annotator"),
    Person("yuki@demo.invalid", "Yuki Tanabe", "annotator"),
)


@dataclass(frozen=True)
class Habit:
    """How somebody annotates: `keen` scales the chance to mark, `broad` is the mean number of substitutes, `slow`
    scales the time it takes."""

    keen: float
    broad: float
    contrary: float = 0.08  # chance to give a substitute the other type
    slow: float = 1.0
    sets_aside: str = "context"  # for this reason


VOICES = {
    "V01": Habit(1.30, 2.2),
    "V02": Habit(0.95, 1.4),
    "V03": Habit(1.15, 1.8),
    "V04": Habit(0.70, 1.2),
    "V05": Habit(1.25, 2.6),
    "V06": Habit(1.00, 1.6, contrary=0.3),
    "V07": Habit(0.85, 1.5),
}
ANNOTATORS = {
    "lena@demo.invalid": Habit(1.2, 2.0),
    "kofi@demo.invalid": Habit(1.0, 1.5, slow=1.3, sets_aside="grammar"),
    "yuki@demo.invalid": Habit(1.35, 1.8, slow=0.4),  # so fast as to be marked “look”
}
