"""Clean what a model made of a message before it is searched, and audit what is left.

A query must hold no addresses, no links, no instructions, no fragments of the model's own reasoning and no emphasis
marks. Marks, labels and reasoning blocks are taken away; a text that still holds anything forbidden is given up, and
whoever asked falls back on the visitor's own words.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


class Finding(StrEnum):
    """What was taken out of a text, or is why nothing of it can be used."""

    EMPHASIS = "emphasis"
    LABEL = "label"
    REASONING = "reasoning"
    ADDRESS = "address"
    LINK = "link"
    INSTRUCTION = "instruction"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """The text that may be searched, None where nothing may, and what was found on the way."""

    text: str | None
    findings: tuple[Finding, ...] = ()


_THOUGHT = re.compile(r"<(think|thinking|reasoning|scratchpad)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
#: one to three marks around words, not around an operand (`3 * 4`) and not inside a word (`snake_case`)
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3}|~~|`{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*])", re.DOTALL)
#: marks without their partner, and those that begin a line: heading, quotation, list
_LEFT_OVER = re.compile(r"^\s*(?:(?:[#>*]+|-)\s+)+|(?<!\w)\*+(?=\w)|(?<=\w)\*+(?![\w*])|`+|^\s*\*+\s*$", re.MULTILINE)
_LABEL = re.compile(
    r"^\s*(?:(?:sure|certainly|of course|okay|ok)\b[^:\n]{0,60}[:!.]\s*)?"
    r"(?:(?:here(?: is|'s)|this is)\b[^:\n]{0,60}:\s*)?"
    r"(?:(?:the )?(?:standalone|rewritten|rephrased|search|self-contained|final|expanded|reformulated)?[ -]*"
    r"(?:query|question|rewrite|answer|keywords?|requ[êe]te|domanda|consulta|pregunta)\s*:\s*)?",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|info|eu|fr|it|es)/\S*", re.IGNORECASE
)
_ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
#: what comes before a labelled question, and what is added after one
_PREAMBLE = re.compile(
    r"\A\s*(?:summary|context|reasoning|thoughts?|analysis)\s*:.*\b(?:question|query|rewrite)\s*:\s*(?=\S)",
    re.DOTALL | re.IGNORECASE,
)
_AFTERTHOUGHT = re.compile(
    r"(?<=[^\s(])\s*(?:\(\s*|\n\s*)(?:note|explanation|reasoning|reason|this (?:query|question|rewrite)|the reason|"
    r"the (?:user|visitor)|i(?:'m| am| have)? (?:assum|re(?:phras|writ|wrote)))\w*\b.*",
    re.DOTALL | re.IGNORECASE,
)
_REASONING = re.compile(
    r"\b(?:the (?:user|visitor|customer)(?:'s current (?:question|message))? (?:is|was|seems|wants|asks?|appears)|"
    r"let(?:'s| me) (?:think|see|rewrite|analy[sz]e)|i (?:need to|should|would) (?:answer|re(?:phrase|write))|"
    r"i (?:cannot|can't) (?:answer|determine|provide|rewrite)|i(?:'m| am) (?:assuming|unable)|as an ai|"
    r"(?:conversation|chat) history|step \d+:|reasoning:|explanation:|since the (?:user|conversation))",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(
    r"<script|\b(?:(?:ignore|disregard|forget) (?:(?:all|any|the|your|these|those|previous|prior|above|earlier) )*"
    r"(?:instructions?|rules?|prompts?)|system prompt|you are (?:a|an) (?:helpful|ai|assistant|language)|"
    r"do not (?:answer|reply|respond)|(?:return|output|respond with) only|rewrite the (?:message|question|query)|"
    r"drop table)",
    re.IGNORECASE,
)


def clean(text: str) -> Cleaned:
    """Return the text as it may be searched, on one line, with what was taken out; the same result when cleaned again.

    Addresses and links are cut out. A text that speaks of its own making, or that gives orders, is given up whole:
    what remains of it would be no query.
    """
    findings: list[Finding] = []
    while (cleaner := _clean_once(text, findings)) != text:  # taking one thing out may bare another
        text = cleaner
    left = audit(text)
    if not left and not re.search(r"\w", text):
        left = (Finding.EMPTY,)
    return Cleaned(text=None if left else text, findings=tuple(dict.fromkeys((*findings, *left))))


def audit(text: str) -> tuple[Finding, ...]:
    """Return what of the forbidden a text holds; empty where it may be searched."""
    checks = (
        (Finding.ADDRESS, _ADDRESS),
        (Finding.LINK, _LINK),
        (Finding.REASONING, _REASONING),
        (Finding.INSTRUCTION, _INSTRUCTION),
        (Finding.EMPHASIS, _EMPHASIS),
    )
    return tuple(finding for finding, pattern in checks if pattern.search(text))


def _clean_once(text: str, findings: list[Finding]) -> str:
    text = _cut(_THOUGHT, "", text, Finding.REASONING, findings)
    text = _cut(_PREAMBLE, "", text, Finding.REASONING, findings)
    text = _cut(_AFTERTHOUGHT, "", text, Finding.REASONING, findings)
    text = _cut(_LABEL, "", text, Finding.LABEL, findings)
    text = _cut(_ADDRESS, " ", text, Finding.ADDRESS, findings)
    text = _cut(_LINK, " ", text, Finding.LINK, findings)
    text = _cut(_EMPHASIS, r"\2", text, Finding.EMPHASIS, findings)
    text = _cut(_LEFT_OVER, "", text, Finding.EMPHASIS, findings)
    return _unquoted(" ".join(text.split()))


def _cut(pattern: re.Pattern[str], by: str, text: str, finding: Finding, findings: list[Finding]) -> str:
    shorter = pattern.sub(by, text)
    if shorter.strip() != text.strip():
        findings.append(finding)
    return shorter


def _unquoted(text: str) -> str:
    pairs = {'"': '"', "“": "”", "«": "»", "'": "'"}
    while len(text) > 1 and pairs.get(text[0]) == text[-1]:
        text = text[1:-1].strip()
    return text
