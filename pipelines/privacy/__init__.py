"""Personal data: found, replaced, erased."""

from pipelines.privacy.cleaning import (
    Cleaned,
    DetectorFailedError,
    Dropped,
    PersonalDataLeftError,
    clean,
    require_clean,
)
from pipelines.privacy.detect import DETECTOR_VERSION, find_personal_data, find_possible_names, ordinary_words
from pipelines.privacy.span import Kind, Span
from pipelines.privacy.substitution import Substitution, is_reserved

__all__ = [
    "DETECTOR_VERSION",
    "Cleaned",
    "DetectorFailedError",
    "Dropped",
    "Kind",
    "PersonalDataLeftError",
    "Span",
    "Substitution",
    "clean",
    "find_personal_data",
    "find_possible_names",
    "is_reserved",
    "ordinary_words",
    "require_clean",
]
