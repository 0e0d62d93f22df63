"""Whether an answer says that it does not know, in English, French, Spanish and Italian. Pure; no model, no network."""

from pipelines.disclaim.detector import DISCLAIM_VERSION, Disclaim, detect, detect_all
from pipelines.disclaim.languages import LANGUAGES

__all__ = ["DISCLAIM_VERSION", "LANGUAGES", "Disclaim", "detect", "detect_all"]
