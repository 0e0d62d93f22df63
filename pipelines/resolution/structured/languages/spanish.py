"""Spanish, the core of the set."""

from pipelines.resolution.structured.tokens import Language, Readings, listed

MONTHS = listed("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
WEEKDAYS = listed("lunes martes miercoles jueves viernes sabado domingo")
_NUMBERS = listed("uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince")

_WORDS: dict[str, Readings] = {
    "hoy": {"day_word": 0},
    "ayer": {"day_word": -1},
    "manana": {"day_word": 1, "part": "morning"},
    "anteayer": {"day_word": -2},
    "antes de ayer": {"day_word": -2},
    "pasado manana": {"day_word": 2},
    "tarde": {"part": "afternoon"},
    "noche": {"part": "night"},
    "anoche": {"last_part": "night"},
    "un": {"number": 1},
    "una": {"number": 1},
    "el": {"article": 0},
    "la": {"article": 0},
    "los": {"article": 0},
    "las": {"article": 0},
    "dia": {"unit": "day"},
    "dias": {"unit": "day", "plural": 0},
    "semana": {"unit": "week"},
    "semanas": {"unit": "week", "plural": 0},
    "mes": {"unit": "month"},
    "meses": {"unit": "month", "plural": 0},
    "trimestre": {"unit": "quarter"},
    "trimestres": {"unit": "quarter", "plural": 0},
    "ano": {"unit": "year"},
    "anos": {"unit": "year", "plural": 0},
    "hora": {"unit": "hour"},
    "horas": {"unit": "hour", "plural": 0},
    "fin de semana": {"unit": "weekend"},
    "este": {"this": 0},
    "esta": {"this": 0},
    "que viene": {"coming": 0},
    "hace": {"ago_before": 0},
    "dentro de": {"in": 0},
    "en": {"in": 0, "on": 0},
    "por": {"on": 0},
    "ahora": {"now": 0},
    "durante": {"on": 0},
    "de": {"of": 0, "from": 0},
    "del": {"of": 0, "from": 0},
    "a": {"to": 0},
    "al": {"to": 0},
    "hasta": {"to": 0, "until": 0},
    "entre": {"between": 0},
    "y": {"and": 0},
    "o": {"and": 0},
    "desde": {"since": 0, "from": 0},
    "a partir de": {"since": 0},
    "a partir del": {"since": 0},
    "antes de": {"before": 0},
    "antes del": {"before": 0},
    "despues de": {"after": 0},
    "despues del": {"after": 0},
    "pero no": {"except": 0},
    "salvo": {"except": 0},
    "excepto": {"except": 0},
    "finales": {"edge": 0},
    "principios": {"edge": 0},
    "primero": {"ordinal_word": 1},
}
_WORDS |= {w: {"last": 0} for w in ("pasado", "pasada", "ultimo", "ultima", "ultimos", "ultimas", "pasados", "pasadas")}
_WORDS |= {w: {"next": 0} for w in ("proximo", "proxima", "proximos", "proximas", "siguiente", "siguientes")}
_WORDS |= {word: {"number": n} for n, word in enumerate(_NUMBERS, start=1)}
_WORDS |= {name: {"month": n} for n, name in enumerate(MONTHS, start=1)}
_WORDS["setiembre"] = {"month": 9}
_WORDS |= {name: {"weekday": n} for n, name in enumerate(WEEKDAYS)}

SPANISH = Language(
    code="es",
    words=_WORDS,
    common=frozenset(
        listed(
            "el la los las un una que quien cual cuando donde como es son mi mis yo tu con para por en de "
            "del y hice hizo paso "
            "he ha tengo tiene no se lo al hay fue era"
        )
    ),
    past_cues=frozenset(listed("hice hizo paso dijo dije vi fue era estaba hable hablo compre compro estuve escribi")),
    future_cues=frozenset(listed("voy va vamos van sera tendre")),
    needs_context=frozenset({"mayo", "abril", "julio", "agosto", "domingo", "marzo"}),
    holiday_words=frozenset({"black", "santo"}),
    plain_days=True,
)
