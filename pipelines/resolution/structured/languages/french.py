"""French, the core of the set."""

from pipelines.resolution.structured.tokens import Language, Readings, listed

MONTHS = listed("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre")
WEEKDAYS = listed("lundi mardi mercredi jeudi vendredi samedi dimanche")
_NUMBERS = listed("un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze")

_WORDS: dict[str, Readings] = {
    "aujourd'hui": {"day_word": 0},
    "hier": {"day_word": -1},
    "demain": {"day_word": 1},
    "avant-hier": {"day_word": -2},
    "apres-demain": {"day_word": 2},
    "matin": {"part": "morning"},
    "apres-midi": {"part": "afternoon"},
    "soir": {"part": "evening"},
    "soiree": {"part": "evening"},
    "nuit": {"part": "night"},
    "une": {"number": 1},
    "le": {"article": 0},
    "la": {"article": 0},
    "les": {"article": 0},
    "l'": {"article": 0},
    "jour": {"unit": "day"},
    "jours": {"unit": "day", "plural": 0},
    "semaine": {"unit": "week"},
    "semaines": {"unit": "week", "plural": 0},
    "mois": {"unit": "month", "plural": 0},
    "semaine-ci": {"unit": "week"},
    "mois-ci": {"unit": "month"},
    "annee-ci": {"unit": "year"},
    "trimestre": {"unit": "quarter"},
    "trimestres": {"unit": "quarter", "plural": 0},
    "an": {"unit": "year"},
    "ans": {"unit": "year", "plural": 0},
    "annee": {"unit": "year"},
    "annees": {"unit": "year", "plural": 0},
    "heure": {"unit": "hour"},
    "heures": {"unit": "hour", "plural": 0},
    "week-end": {"unit": "weekend"},
    "weekend": {"unit": "weekend"},
    "ce": {"this": 0},
    "cet": {"this": 0},
    "cette": {"this": 0},
    "il y a": {"ago_before": 0},
    "dans": {"in": 0},
    "en": {"in": 0, "on": 0},
    "au": {"on": 0, "to": 0},
    "a": {"to": 0},
    "pendant": {"on": 0},
    "maintenant": {"now": 0},
    "durant": {"on": 0},
    "de": {"of": 0, "from": 0},
    "du": {"of": 0, "from": 0},
    "d'": {"of": 0, "from": 0},
    "entre": {"between": 0},
    "et": {"and": 0},
    "ou": {"and": 0},
    "depuis": {"since": 0},
    "a partir de": {"since": 0},
    "a partir du": {"since": 0},
    "avant": {"before": 0},
    "apres": {"after": 0},
    "jusqu'": {"until": 0, "to": 0},
    "jusqu'a": {"until": 0, "to": 0},
    "jusqu'au": {"until": 0, "to": 0},
    "mais pas": {"except": 0},
    "sauf": {"except": 0},
    "hormis": {"except": 0},
    "excepte": {"except": 0},
    "fin": {"edge": 0},
    "debut": {"edge": 0},
    "1er": {"ordinal": 1},
    "premier": {"ordinal_word": 1},
}
_WORDS |= {w: {"last": 0} for w in ("dernier", "derniere", "derniers", "dernieres", "passe", "passee")}
_WORDS |= {w: {"next": 0} for w in ("prochain", "prochaine", "prochains", "prochaines", "suivant", "suivante")}
_WORDS |= {word: {"number": n} for n, word in enumerate(_NUMBERS, start=1)}
_WORDS |= {name: {"month": n} for n, name in enumerate(MONTHS, start=1)}
_WORDS |= {name: {"weekday": n} for n, name in enumerate(WEEKDAYS)}

FRENCH = Language(
    code="fr",
    words=_WORDS,
    common=frozenset(
        listed(
            "le la les un une des du de et est sont qu'est-ce que qui quoi quel quelle quand ou comment j'ai "
            "je tu il elle nous "
            "vous mon ma mes c'est dans pour avec sur ai as a-t-il s'est passe fait ce ne pas au aux"
        )
    ),
    past_cues=frozenset(listed("ai j'ai as avait avais etait s'est avons avez ont vu dit fait parle rencontre")),
    future_cues=frozenset(listed("vais va vas allons allez vont sera serai")),
    needs_context=frozenset({"mars", "mai", "avril", "juin", "aout"}),
    holiday_words=frozenset({"black", "saint", "gras"}),
    plain_days=True,
)
