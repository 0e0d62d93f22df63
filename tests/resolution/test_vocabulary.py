"""The vocabulary files and how their phrases are read."""

import msgspec
import pytest

from pipelines.resolution.vocabulary import languages, lexicon_of, vocabulary_bytes, vocabulary_file
from pipelines.resolution.vocabulary.lexicon import Kind, Lexicon, LexiconError, compile_lexicon
from pipelines.resolution.vocabulary.shape import VocabularyFile


def _compiled(
    correction: list[str], groups: dict[str, list[str]] | None = None, accents: list[str] | None = None
) -> Lexicon:
    lists: dict[str, list[str]] = {
        name: [] for name in VocabularyFile.__struct_fields__ if name not in {"signs", "groups", "told_by_tone"}
    }
    content = {
        **lists,
        "signs": {"words": []},
        "correction": correction,
        "groups": groups or {},
        "accents_matter": accents or [],
    }
    return compile_lexicon(msgspec.convert(content, VocabularyFile))


def _kinds(lexicon: Lexicon, text: str) -> int:
    words = text.split()
    node = lexicon.first.get(words[0])
    for word in words[1:]:
        node = node.after.get(word) if node else None
    return node.kinds if node else 0


@pytest.mark.parametrize("language", languages())
def test_every_file_compiles(language: str) -> None:
    """Each file has the shape, and each phrase of it can be read."""
    assert lexicon_of(language).first


def test_the_registry_is_the_folder() -> None:
    """The four languages of today; a fifth file would be a fifth language."""
    assert languages() == ("en", "es", "fr", "it")


def test_alternatives_groups_and_what_may_be_left_out() -> None:
    """A phrase stands for each of its wordings and for nothing else."""
    lexicon = _compiled(["[we|i] <already> tried that"], {"already": ["", "already", "by now"]})

    for text in ("we tried that", "i already tried that", "we by now tried that"):
        assert _kinds(lexicon, text) == Kind.CORRECTION
    for text in ("tried that", "we already that", "we by tried that", "we tried"):
        assert _kinds(lexicon, text) == 0


def test_accents_may_be_missing_unless_they_matter() -> None:
    """People type without accents, except where that makes another word."""
    lexicon = _compiled(["déjà essayé", "où"], accents=["ou"])

    assert _kinds(lexicon, "deja essaye") == Kind.CORRECTION
    assert _kinds(lexicon, "où") == Kind.CORRECTION
    assert _kinds(lexicon, "ou") == 0


@pytest.mark.parametrize("phrase", ["[we|i", "we]", "[we [i]]", "<nobody> tried", "[a|]", ""])
def test_a_phrase_that_cannot_be_read_is_an_error(phrase: str) -> None:
    """Unbalanced brackets, unknown groups and phrases that may be empty are refused."""
    with pytest.raises(LexiconError):
        _compiled([phrase])


def test_an_unknown_list_is_an_error() -> None:
    """A misspelt name in a file cannot go unnoticed."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.toml.decode(vocabulary_bytes("en") + b"\n[signz]\nwords = []\n", type=VocabularyFile)


def test_every_phrase_is_short() -> None:
    """The bound on reading a message rests on the number of words in a phrase."""
    for language in languages():
        file = vocabulary_file(language)
        for phrase in (*file.correction, *file.courtesy, *file.neutral, *file.reference):
            assert phrase.count("[") + phrase.count("<") + phrase.count(" ") < 40
