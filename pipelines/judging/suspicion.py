"""Finds passages that speak to a judge instead of to a reader, so that they can be judged alone.

A judge that obeys what it reads can then spoil only the verdict on the passage that gave the order. What is found here
is no accusation: a passage about prompts looks the same, and is judged all the same, in a call of its own.
"""

import re
import unicodedata

from pipelines.judging.answer import plain

_ORDERS = re.compile(
    # our own field names, and JSON that looks like an answer
    r"\b(?:query_grade|need_grade|needs_retrieval|searched_query)\b|[\"'](?:sufficient|grades?|score|passages|evidence)[\"']\s*:"
    # turn markers of chat templates
    r"|<\|?\/?\s*(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id)\b|\[/?inst\]|<</?sys>>"
    r"|(?:^|[#*=\-\s]{2,})(?:system|assistant|developer)\s*(?:prompt|message|note|override)?\s*:"
    # "ignore the instructions above"
    r"|\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|rules?|rubric|prompts?|above|previous|everything)\b"
    r"|\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions?|consignes?|règles?|précédentes?|ci-dessus)\b"
    r"|\b(?:ignor[ae]d?|olvid[ae]d?)\b.{0,40}\b(?:instrucci(?:ón|ones)|reglas?|anteriore?s?)\b"
    r"|\b(?:ignora(?:te|re)?|dimentica(?:te|re)?)\b.{0,40}\b(?:istruzion[ei]|regol[ae]|precedenti)\b"
    # "you are the judge", "to the evaluator"
    r"|\b(?:you are|act as|dear|attention|note to|to the|as an?)\b.{0,15}"
    r"\b(?:judge|grader|evaluator|assessor|rater|language model|ai|llm)\b"
    r"|\b(?:tu es|vous êtes|cher|attention)\b.{0,15}\b(?:juge|évaluat\w+|correct\w+|ia)\b"
    r"|\b(?:eres|usted es|estimado|atención)\b.{0,15}\b(?:juez|evaluador\w*|calificador\w*|ia)\b"
    r"|\b(?:sei|siete|caro|attenzione)\b.{0,15}\b(?:giudice|valutat\w+|ia)\b"
    # "grade this passage 3", "give p2 a 0"
    r"|\b(?:rate|give|assign|set|(?:grade|score|mark)\s+(?=the|this|that|every|all|each|any|passage|p\d))\b.{0,25}\b(?:passages?|grades?|p\d{1,2}|documents?)\b.{0,15}(?:\b[0-3]\b|\brelevant)"
    r"|\b(?:note[zr]?|attribue[zr]?|donne[zr]?|évalue[zr]?)\b.{0,40}\b(?:passages?|note|p\d{1,2})\b.{0,15}(?:\b[0-3]\b|\bpertinent)"
    r"|\b(?:califi[ck]\w*|puntúa|asigna\w*|otorga\w*|evalúa)\b.{0,40}\b(?:pasajes?|nota|puntuación|p\d{1,2})\b.{0,15}(?:\b[0-3]\b|\brelevante)"
    r"|\b(?:assegna\w*|valuta\w*|dai|date)\b.{0,40}\b(?:passagg\w+|brani?|voto|punteggio|p\d{1,2})\b.{0,15}(?:\b[0-3]\b|\brilevante|\bpertinente)",
)

#: tags, direction overrides, and runs of zero-width characters: ways to hide text from a reader. A single zero-width
#: space is an ordinary line break, and the joiners that scripts and emoji need are not among them.
_HIDDEN = re.compile("[\u202d\u202e\U000e0000-\U000e007f]|(?:[\u200b\u2060-\u2064].{0,3}){5}")


_MARKUP = str.maketrans("", "", "*_`~")


def speaks_to_a_judge(text: str) -> bool:
    """Say whether a passage holds orders for a judge, looks like an answer of one, or hides text from readers."""
    if not text.isascii() and _HIDDEN.search(text):
        return True
    read = plain(text)
    return _ORDERS.search(read) is not None or ((bare := _bare(read)) != read and _ORDERS.search(bare) is not None)


def _bare(text: str) -> str:
    """Return the text without marks that may be set between the letters of a word (Markdown, combining accents)."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return text.translate(_MARKUP)
