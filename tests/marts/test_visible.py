"""Strangers' text does nothing to whoever looks at it."""

from pipelines.marts.visible import visible


def test_controls_are_shown_and_text_stays() -> None:
    """Escape sequences, C1 controls, NUL and marks of direction lose their power; words, tabs and accents stay."""
    assert visible("a\x1b]0;title\x07b") == "a\ufffd]0;title\ufffdb"
    assert visible("\x9b31m\u202efdp\x00\x7f") == "\ufffd31m\ufffdfdp\ufffd\ufffd"
    assert visible("Né en été\tà l'aube\n") == "Né en été\tà l'aube\n"
