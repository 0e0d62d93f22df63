r"""What one language needs so that disclaimers are found in it, and the notation that its cues are written in.

A cue is a regular expression in which

- a blank stands for any run of white space, a blank and `?` for none or some,
- `~` stands for up to four words of no interest, with the blank after them,
- `'` stands for every kind of apostrophe (the text is folded before it is searched).

Every repetition is bounded or possessive, so the time to search a text is linear in its length.
"""

import re
from dataclasses import dataclass
from functools import cached_property

_ANY_WORDS = r"(?:[^\s.,;:!?()]++\s++){0,4}?"


def _written(cue: str) -> str:
    """Put regular expressions in the place of the notation's signs."""
    return cue.replace(" ?", r"\s*+").replace(" ", r"\s++").replace("~", _ANY_WORDS)


def compile_cues(cues: tuple[str, ...]) -> re.Pattern[str]:
    """Compile cues of the notation above into one pattern that matches whole words only."""
    written = [_written(cue) for cue in cues]
    return re.compile(rf"(?<!\w)(?:{'|'.join(written)})(?!\w)")


#: a piece of a cue: the opening of a look-around, a sign of possession, an escape, a class, or any other character
_PIECE = re.compile(
    r"(?P<around>\(\?<?[=!])|(?P<possession>(?<=[*+?}])(?<!\\[*+?}])\+)|\\.|\[(?:\\.|[^\]\\])*\]|.", re.DOTALL
)
#: what is white space or a word to Python and not to everyone: its white space has four characters more, its words
#: have all kinds of numbers and no marks
_LOOSE = {r"\s": r"[\s\x1c-\x1f]", r"\w": "[^ ]", r"[\w-]": "[^ ]"}
#: what stands beside a whole word, whatever else does: letters beyond ASCII are let pass
_BESIDE = "[^a-z0-9_]"


def loosened(cue: str) -> str:
    """Return a pattern in the syntax of Rust's `regex` that matches wherever the cue does, and maybe elsewhere.

    That engine is an automaton: linear without possession, but it has no look-arounds, and is small and fast only
    without Unicode's tables. So look-arounds are left out, possessive quantifiers are made greedy, and a word
    character is anything but a blank.
    """
    written = []
    around = 0  # how many parentheses are open since a look-around began
    for piece in _PIECE.finditer(_written(cue)):
        text = piece.group()
        if around or piece["around"]:
            around += {"(": 1, ")": -1}.get(text[0], 0)
        elif not piece["possession"]:
            written.append(_LOOSE.get(text, text))
    return "".join(written)


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """The words of one language. All cues are lower case; `function_words` and `stems` are plain text.

    Adding a language is one module with one of these, and one line in `LANGUAGES`.
    """

    #: BCP 47 primary subtag
    language: str
    #: frequent small words that tell this language from the others, separated by blanks
    function_words: str
    #: a sentence without any of these substrings holds no cue; looked for first because it is cheap
    stems: tuple[str, ...]
    #: says that it does not know, wherever in a sentence
    unknowing: tuple[str, ...]
    #: says so only as the opening of a sentence ("No idea.")
    openings: tuple[str, ...]
    #: what may stand before an opening ("Sorry, …")
    interjections: tuple[str, ...]
    #: cannot find out or tell: a disclaimer unless the sentence gives the ground of a refusal
    unable: tuple[str, ...]
    #: the ground of a refusal ("for legal reasons")
    refusal: tuple[str, ...]
    #: directly before a cue: then it is a condition ("if I don't know"), no statement
    not_after: tuple[str, ...]
    #: directly after a cue: then the visitor was not understood ("what you mean"), which is another thing
    not_before: tuple[str, ...]
    #: opens the half of a sentence that may give something after all ("but", "however")
    contrast: tuple[str, ...]
    #: opens a half that concedes the disclaimer before the other half gives something ("although", "while")
    concession: tuple[str, ...]
    #: opens a sentence or a half that gives nothing ("please contact", "they mainly discuss")
    empty: tuple[str, ...]
    #: counted in the wide sense only: did not understand, asks to rephrase, cannot help
    not_understood: tuple[str, ...]

    @cached_property
    def unknowing_pattern(self) -> re.Pattern[str]:
        """All cues that need no look at the rest of the sentence but its neighbours."""
        return compile_cues(self.unknowing)

    @cached_property
    def opening_pattern(self) -> re.Pattern[str]:
        """An opening, after any interjections; to be matched at the start of a sentence. Group 1 is the opening."""
        before = rf"(?:(?:{'|'.join(_written(cue) for cue in self.interjections)})(?!\w)[\s,.:!…-]*+){{0,3}}"
        written = "|".join(_written(cue) for cue in self.openings)
        return re.compile(rf"[\s\W]{{0,8}}+{before}({written})(?!\w)")

    @cached_property
    def unable_pattern(self) -> re.Pattern[str]:
        """Cues that a ground of refusal in the same sentence takes back."""
        return compile_cues(self.unable)

    @cached_property
    def loose_cues(self) -> str:
        """A pattern for Rust's `regex` that matches every folded text with a cue of the default sense, and others."""
        cues = "|".join(loosened(cue) for cue in (*self.unknowing, *self.openings, *self.unable))
        return rf"(?:^|{_BESIDE})(?:{cues})(?:$|{_BESIDE})"

    @cached_property
    def refusal_pattern(self) -> re.Pattern[str]:
        """Grounds of a refusal."""
        return compile_cues(self.refusal)

    @cached_property
    def not_after_pattern(self) -> re.Pattern[str]:
        """A conditional that ends where the searched text ends."""
        return re.compile(compile_cues(self.not_after).pattern + r"\s*+$")

    @cached_property
    def not_before_pattern(self) -> re.Pattern[str]:
        """What follows "not sure" or "don't know" when it is the visitor who was not understood."""
        return re.compile(r"\s*+" + compile_cues(self.not_before).pattern)

    @cached_property
    def contrast_pattern(self) -> re.Pattern[str]:
        """Words after which a sentence may give something after all."""
        return compile_cues(self.contrast)

    @cached_property
    def concession_pattern(self) -> re.Pattern[str]:
        """Words that make the disclaimer the minor half of its sentence."""
        return compile_cues(self.concession)

    @cached_property
    def empty_pattern(self) -> re.Pattern[str]:
        """Openings of sentences that give nothing; to be matched at the start."""
        return re.compile(r"[\s\W]{0,8}+" + compile_cues(self.empty).pattern)

    @cached_property
    def not_understood_pattern(self) -> re.Pattern[str]:
        """Cues of the wide sense."""
        return compile_cues(self.not_understood)
