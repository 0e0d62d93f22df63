r"""Where a text discloses the age of a person: the writer, or someone the writer speaks of.

One table of patterns per language, read over the folded text (no accents), so that "anos" is found where "años" was
meant. A number alone is no age: "I am 14 km away" is told from "I am 14" by what follows.

In the table a blank stands for one to three of any white space, `<n>` for an age in digits or words, `<person>` for
a word for a person, `<end>` for the end of a clause and `<plain>` for "not an amount of something", as in "10 ans de
garantie".
"""

import re
from dataclasses import dataclass

from pipelines.privacy.fold import Folded
from pipelines.privacy.span import Kind, Span
from pipelines.privacy.words import ENGLISH_NUMBERS, ENGLISH_TENS, FRENCH_NUMBERS, ITALIAN_NUMBERS, SPANISH_NUMBERS


@dataclass(frozen=True, slots=True, kw_only=True)
class _Language:
    code: str
    numbers: tuple[str, ...]
    compounds: str
    persons: str
    patterns: tuple[str, ...]

    def compile(self) -> re.Pattern[str]:
        spelled = "|".join(sorted(self.numbers, key=len, reverse=True))
        meanings = {
            "<n>": rf"(?:1[01]\d|[1-9]?\d(?:[.,]5| ?1/2)?|{self.compounds}|(?:{spelled}))",
            "<person>": f"(?:{self.persons})",
            "<end>": _END,
            "<plain>": r"\b(?! (?:de|d'|di|of)\b)",
            "<date>": r"[^.!?\n]{0,20}\d{2,4}",
        }
        text = "|".join(f"(?:{pattern})" for pattern in self.patterns)
        for sign, meaning in meanings.items():
            text = text.replace(sign, meaning)
        return re.compile(text.replace(" ", r"\s{1,3}"), re.IGNORECASE)


_END = (
    r"(?=\s{0,2}(?:\Z|[.!?;,:)\]\"\n]|-\s|"
    r"(?:and|but|so|now|today|tomorrow|soon|already|yet|as|because|next|this|last|in|on|when|who|with|too|if|can)\b))"
    r"(?![.,]\d)"
)
_ENGLISH = _Language(
    code="en",
    numbers=ENGLISH_NUMBERS + ENGLISH_TENS,
    compounds=rf"(?:{'|'.join(ENGLISH_TENS)})[\s-](?:{'|'.join(ENGLISH_NUMBERS[:9])})",
    persons=(
        r"sons?|daughters?|kids?|child|children|boys?|girls?|baby|toddler|brother|sister|mother|mom|mum|father|dad|"
        r"husband|wife|partner|boyfriend|girlfriend|friend|grand\w{3,8}|nephew|niece|cousin|uncle|aunt|twins?|patient|"
        r"student|man|woman|male|female|person|teen(?:ager)?"
    ),
    patterns=(
        r"\b(?:i am|im|i'm|he'?s|she'?s|(?:he|she) is|(?:i|he|she) was) (?:only |just |now |nearly |about )?<n><end>",
        r"\b<person> (?:\w{1,20} )?(?:is|are|was|aged?) (?:only |just |now |already |almost |nearly )?<n><end>",
        r"\b<person>'s <n><end>",
        r"\b(?:turned|turning) <n><end>",
        r"(?:\b(?:i|we|he|she|they|who|to|<person>)|'ll|\bwill) turns? <n><end>",
        r"(?:\b(?:i|he|she|<person>)(?:'ll| will)) be <n><end>",
        r"\b<n>(?: |-)(?:years?|yrs?|months?)(?: |-)(?:old|of age)\b",
        r"\b<n>[ -]?(?:y/o|yo|y\.o\.|yrs? old)(?!\w)",
        r"\b<n>(?:y/o|yo)(?!\w)",
        r"\b(?:aged?|at (?:the )?age(?: of)?)\s{0,2}(?:is |: ?|= ?)?<n>(?![\w%]|[.,]\d| (?:days?|minutes?|hours?)\b)",
        r"\b(?:i|my \w{2,15}) was born (?:in|on) <date>",
        r"\b(?:date of birth|birth ?date|birthday|d\.?o\.?b\.?)(?!\w)\s{0,2}(?:is |: ?|= ?)?<date>",
    ),
)
_FRENCH = _Language(
    code="fr",
    numbers=FRENCH_NUMBERS,
    compounds=r"(?:vingt|trente|quarante|cinquante|soixante|quatre-vingts?)(?:[\s-]et)?[\s-]\w{2,8}",
    persons=(
        r"fils|filles?|enfants?|garcons?|bebe|frere|soeur|mere|maman|pere|papa|mari|femme|homme|epoux|epouse|"
        r"compagn\w{1,3}|copain|copine|amie?|petit-fils|petite-fille|neveu|niece|cousine?|oncle|tante|grand-\w{4}|ado\w{0,8}|personne|"
        r"patiente?"
    ),
    patterns=(
        (
            r"\b(?:j'ai|(?:il|elle)s? (?:a|ont|avait)|nous avons|qui a|<person> (?:\w{1,20} )?(?:a|ont))"
            r" (?:deja |presque |bientot )?<n> (?:ans|mois)<plain>"
        ),
        r"\b<person> (?:\w{1,20} ){0,2}de <n> (?:ans|mois)\b",
        r"\b(?:agee?s? de|a l'age de|aurai?|feter ses|fete ses|eu) <n> ans<plain>",
        r"\bage\s{0,2}[:=]\s{0,2}<n>\b",
        r"\b(?:je suis nee?|date de naissance)\s{0,2}(?:: ?|en |le )?<date>",
    ),
)
_SPANISH = _Language(
    code="es",
    numbers=SPANISH_NUMBERS,
    compounds=r"veinti\w{2,6}|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa) y \w{2,6}",
    persons=(
        r"hij[oa]s?|nin[oa]s?|bebe|hermano|hermana|madre|mama|padre|papa|marido|esposo|esposa|mujer|hombre|novi[oa]|"
        r"amig[oa]|niet[oa]|sobrin[oa]|prim[oa]|tio|tia|abuel[oa]|chic[oa]|adolescente|persona|paciente"
    ),
    patterns=(
        r"\b(?:tengo|tiene|tienen|tenia|tenemos|cumpl\w{1,5}) (?:solo |ya |casi )?<n> (?:anos|anitos|meses)<plain>",
        r"\bcumpl\w{1,5} (?:los )?<n><end>",
        r"\b<person> (?:\w{1,20} ){0,2}de <n> (?:anos|meses)\b",
        r"\b(?:a los|a la edad de) <n> anos\b",
        r"\b<n> anos de edad\b",
        r"\bedad\s{0,2}(?:es |: ?|= ?)?(?:de )?<n>\b",
        r"\b(?:naci|fecha de nacimiento)\s{0,2}(?:: ?|en |el )?<date>",
    ),
)
_ITALIAN = _Language(
    code="it",
    numbers=ITALIAN_NUMBERS,
    compounds=r"(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)\w{2,8}",
    persons=(
        r"figli[oae]?|bambin[oaie]|neonat[oa]|bimb[oa]|fratello|sorella|madre|mamma|padre|papa|marito|moglie|donna|"
        r"uomo|compagn[oa]|fidanzat[oa]|amic[oa]|nipote|cugin[oa]|zi[oa]|nonn[oa]|ragazz[oa]|adolescente|persona|paziente"
    ),
    patterns=(
        r"\b(?:ho|ha|hanno|aveva|abbiamo|compi\w{1,4}) (?:solo |gia |quasi |appena )?<n> (?:anni|mesi)<plain>",
        r"\b<person> (?:\w{1,20} ){0,2}di <n> (?:anni|mesi)\b",
        r"\ball'eta di <n> anni\b",
        r"\b<n> anni di eta\b",
        r"\beta\s{0,2}[:=]\s{0,2}<n>\b",
        r"\b(?:sono nat[oa]|data di nascita)\s{0,2}(?:: ?|nel |il )?<date>",
    ),
)
_COMPILED = tuple((language.code, language.compile()) for language in (_ENGLISH, _FRENCH, _SPANISH, _ITALIAN))
_ANY_NUMBER = re.compile(
    r"\d|"
    + "|".join({*ENGLISH_NUMBERS, *ENGLISH_TENS, *FRENCH_NUMBERS, *SPANISH_NUMBERS, *ITALIAN_NUMBERS})
    + "|vent|trent|quarant|cinquant",
    re.IGNORECASE,
)


def find_ages(folded: Folded) -> tuple[Span, ...]:
    """Return the disclosed ages in the order of the text; all four languages are tried on every text.

    A span covers the words that make the number an age, not the number alone. Of overlapping finds the first, and
    of those the longest, is kept.
    """
    if _ANY_NUMBER.search(folded.text) is None:
        return ()
    found = sorted(
        (match.start(), -match.end(), code) for code, pattern in _COMPILED for match in pattern.finditer(folded.text)
    )
    spans = []
    taken = 0
    for start, minus_end, code in found:
        if start >= taken:
            taken = -minus_end
            first, last = folded.span(start, taken)
            spans.append(Span(kind=Kind.AGE, start=first, end=last, rule=code))
    return tuple(spans)
