"""The version that decisions carry stands for one content of the rules and vocabularies."""

import hashlib
import io
import tokenize
from pathlib import Path

import pytest

from pipelines.resolution import gate, vocabulary
from pipelines.resolution.gate import GATE_VERSION
from pipelines.resolution.vocabulary import languages, vocabulary_bytes

GOLDEN = Path(__file__).parent / "versions.txt"
_LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def _fingerprint() -> str:
    """Return a hash of the vocabularies and of the code that decides, comments and layout left out."""
    digest = hashlib.sha256()
    for language in languages():
        digest.update(vocabulary_bytes(language))
    for package in (gate, vocabulary):
        for path in sorted(Path(str(package.__file__)).parent.glob("*.py")):
            if path.name not in {"version.py", "__init__.py"}:
                for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
                    if token.type not in _LAYOUT:
                        digest.update(token.string.encode() + b"\0")
    language_file = Path(str(gate.__file__)).parents[1] / "language.py"
    digest.update(language_file.read_bytes())
    return digest.hexdigest()[:16]


@pytest.mark.golden
def test_a_version_stands_for_one_content() -> None:
    """When this fails: raise GATE_VERSION if any decision may have changed, and write the line that is missing."""
    lines = dict(line.split() for line in GOLDEN.read_text(encoding="utf-8").splitlines())

    assert lines.get(GATE_VERSION) == _fingerprint(), f"{GATE_VERSION} {_fingerprint()}"
    assert len(set(lines.values())) == len(lines)
