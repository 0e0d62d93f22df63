"""The words of each language that the gate and the language detector know: one TOML file per language.

A language is added by adding `<code>.toml` beside the others; what lies in this folder is the closed registry. The
files are read once, checked against one shape (an unknown or misspelt list is an error), and compiled into a `Lexicon`.
"""

from functools import cache
from importlib.resources import files

import msgspec

from pipelines.errors import NightcheckError
from pipelines.resolution.vocabulary.lexicon import Lexicon, LexiconError, compile_lexicon
from pipelines.resolution.vocabulary.shape import VocabularyFile

__all__ = ["Lexicon", "languages", "lexicon_of", "vocabulary_bytes", "vocabulary_file"]

_SUFFIX = ".toml"


class VocabularyError(NightcheckError):
    """A vocabulary file cannot be used as it is."""

    def __init__(self, language: str, reason: str) -> None:
        super().__init__(f"vocabulary {language}{_SUFFIX}", reason, "Mend the file in pipelines/resolution/vocabulary.")


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of all languages there are, in alphabetical order."""
    names = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX)))


def vocabulary_bytes(language: str) -> bytes:
    """Return the file of one language as it is stored."""
    return files(__package__).joinpath(language + _SUFFIX).read_bytes()


@cache
def vocabulary_file(language: str) -> VocabularyFile:
    """Return the checked content of one language's file; VocabularyError where it does not have the shape."""
    try:
        return msgspec.toml.decode(vocabulary_bytes(language), type=VocabularyFile)
    except msgspec.DecodeError as error:
        raise VocabularyError(language, str(error)) from error


@cache
def lexicon_of(language: str) -> Lexicon:
    """Return the compiled words of one of `languages()`."""
    try:
        return compile_lexicon(vocabulary_file(language))
    except LexiconError as error:
        raise VocabularyError(language, str(error)) from error
