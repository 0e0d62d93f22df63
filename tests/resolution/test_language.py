"""Which language a text is in."""

import pytest

from pipelines.resolution.language import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("How do I export my contacts?", "en"),
        ("I could not find anything about that.", "en"),
        ("Comment exporter mes contacts ?", "fr"),
        ("Je n'ai rien trouvé à ce sujet.", "fr"),
        ("je ne sais pas", "fr"),
        ("¿Cómo exporto mis contactos?", "es"),
        ("No he encontrado nada sobre eso.", "es"),
        ("no lo se, lo siento", "es"),
        ("Come esporto i miei contatti?", "it"),
        ("Non ho trovato nulla al riguardo.", "it"),
        ("perche non funziona il pagamento", "it"),
    ],
)
def test_a_sentence_shows_its_language(text: str, language: str) -> None:
    """Grammar words decide, with or without accents, whatever the fallback is."""
    assert {detect_language(text, fallback) for fallback in ("en", "fr", "es", "it")} == {language}


@pytest.mark.parametrize("text", ["", "Salesforce 2024", "東京の天気", "12345", "???"])
def test_what_shows_no_language_has_the_fallback(text: str) -> None:
    """A name, a number or another script decides nothing."""
    assert detect_language(text, "it") == "it"
    assert detect_language(text) == "en"
