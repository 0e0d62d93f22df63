"""Italian, the core of the set."""

from pipelines.resolution.structured.tokens import Language, Readings, listed

MONTHS = listed("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")
WEEKDAYS = listed("lunedi martedi mercoledi giovedi venerdi sabato domenica")
_NUMBERS = listed("uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici")

_WORDS: dict[str, Readings] = {
    "oggi": {"day_word": 0},
    "ieri": {"day_word": -1},
    "domani": {"day_word": 1},
    "l' altro ieri": {"day_word": -2},  # as the tokenizer splits it
    "altro ieri": {"day_word": -2},
    "altroieri": {"day_word": -2},
    "dopodomani": {"day_word": 2},
    "mattina": {"part": "morning"},
    "mattino": {"part": "morning"},
    "pomeriggio": {"part": "afternoon"},
    "sera": {"part": "evening"},
    "notte": {"part": "night"},
    "stamattina": {"this_part": "morning"},
    "stasera": {"this_part": "evening"},
    "stanotte": {"this_part": "night"},
    "un": {"number": 1},
    "una": {"number": 1},
    "un'": {"number": 1},
    "giorno": {"unit": "day"},
    "giorni": {"unit": "day", "plural": 0},
    "settimana": {"unit": "week"},
    "settimane": {"unit": "week", "plural": 0},
    "mese": {"unit": "month"},
    "mesi": {"unit": "month", "plural": 0},
    "trimestre": {"unit": "quarter"},
    "trimestri": {"unit": "quarter", "plural": 0},
    "anno": {"unit": "year"},
    "anni": {"unit": "year", "plural": 0},
    "ora": {"unit": "hour"},
    "ore": {"unit": "hour", "plural": 0},
    "fine settimana": {"unit": "weekend"},
    "weekend": {"unit": "weekend"},
    "questo": {"this": 0},
    "questa": {"this": 0},
    "quest'": {"this": 0},
    "fa": {"ago": 0},
    "tra": {"in": 0, "between": 0},
    "fra": {"in": 0, "between": 0},
    "in": {"on": 0},
    "a": {"to": 0, "on": 0},
    "al": {"to": 0},
    "all'": {"to": 0},
    "nel": {"on": 0},
    "nell'": {"on": 0},
    "adesso": {"now": 0},
    "durante": {"on": 0},
    "di": {"of": 0},
    "del": {"of": 0},
    "della": {"of": 0},
    "dell'": {"of": 0},
    "dal": {"from": 0, "since": 0},
    "dalla": {"from": 0, "since": 0},
    "dall'": {"from": 0, "since": 0},
    "da": {"from": 0, "since": 0},
    "e": {"and": 0},
    "o": {"and": 0},
    "a partire da": {"since": 0},
    "a partire dal": {"since": 0},
    "prima di": {"before": 0},
    "prima del": {"before": 0},
    "prima della": {"before": 0},
    "dopo": {"after": 0},
    "dopo il": {"after": 0},
    "fino a": {"until": 0, "to": 0},
    "fino al": {"until": 0, "to": 0},
    "ma non": {"except": 0},
    "tranne": {"except": 0},
    "eccetto": {"except": 0},
    "salvo": {"except": 0},
    "inizio": {"edge": 0},
    "primo": {"ordinal_word": 1},
}
_WORDS |= {w: {"article": 0} for w in ("il", "lo", "la", "i", "gli", "le", "l'")}
_WORDS |= {
    w: {"last": 0} for w in ("scorso", "scorsa", "scorsi", "scorse", "ultimo", "ultima", "ultimi", "ultime", "passato")
}
_WORDS |= {w: {"next": 0} for w in ("prossimo", "prossima", "prossimi", "prossime")}
_WORDS |= {word: {"number": n} for n, word in enumerate(_NUMBERS, start=1)}
_WORDS |= {name: {"month": n} for n, name in enumerate(MONTHS, start=1)}
_WORDS |= {name: {"weekday": n} for n, name in enumerate(WEEKDAYS)}

ITALIAN = Language(
    code="it",
    words=_WORDS,
    common=frozenset(
        listed(
            "il lo la i gli le un una che chi cosa quale quando dove come e sono mio mia miei ho hai ha "
            "abbiamo con per in di "
            "del della non si nel fatto successo era"
        )
    ),
    past_cues=frozenset(listed("ho hai ha abbiamo avete hanno era ero stato successo fatto visto detto")),
    future_cues=frozenset(listed("sara avro devo dobbiamo")),
    needs_context=frozenset({"domenica", "maggio", "agosto", "sabato", "marzo"}),
    holiday_words=frozenset({"black", "santo"}),
    plain_days=True,
)
