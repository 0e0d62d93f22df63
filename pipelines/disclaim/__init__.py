"""Whether an answer says that it does not know, in English, French, Spanish and Italian. Pure; no model, no network."""

from pipelines.disclaim.detector import DISCLAIM_VERSION, Disclaim, detect
from pipelines.disclaim.languages import LANGUAGES
from pipelines.disclaim.many import detect_all

__all__ = ["DISCLAIM_VERSION", "LANGUAGES", "Disclaim", "detect", "detect_all"]
