"""English, complete."""

from pipelines.resolution.structured.tokens import Language, Readings, listed

_NUMBERS = listed(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen "
    "nineteen twenty"
)
_ORDINALS = listed(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
MONTHS = listed("January February March April May June July August September October November December")
WEEKDAYS = listed("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")

_WORDS: dict[str, Readings] = {
    "today": {"day_word": 0},
    "yesterday": {"day_word": -1},
    "tomorrow": {"day_word": 1},
    "day before yesterday": {"day_word": -2},
    "the day before yesterday": {"day_word": -2},
    "day after tomorrow": {"day_word": 2},
    "the day after tomorrow": {"day_word": 2},
    "tonight": {"this_part": "night"},
    "morning": {"part": "morning"},
    "afternoon": {"part": "afternoon"},
    "evening": {"part": "evening"},
    "night": {"part": "night"},
    "a": {"article": 0, "number": 1},
    "an": {"article": 0, "number": 1},
    "the": {"article": 0},
    "couple of": {"couple": 2},
    "couple": {"couple": 2},
    "weekend": {"unit": "weekend"},
    "week-end": {"unit": "weekend"},
    "fortnight": {"unit": "fortnight"},
    "fortnights": {"unit": "fortnight", "plural": 0},
    "this": {"this": 0},
    "current": {"this": 0},
    "last": {"last": 0},
    "previous": {"last": 0},
    "past": {"past": 0},
    "next": {"next": 0},
    "following": {"next": 0},
    "coming": {"coming": 0},
    "upcoming": {"coming": 0},
    "ago": {"ago": 0},
    "hence": {"hence": 0},
    "from now": {"hence": 0},
    "now": {"now": 0},
    "in": {"in": 0},
    "during": {"on": 0},
    "throughout": {"on": 0},
    "on": {"on": 0},
    "by": {"until": 0},
    "for": {"on": 0},
    "of": {"of": 0},
    "from": {"from": 0},
    "to": {"to": 0},
    "back to": {"on": 0},
    "not": {"except": 0},
    "except": {"except": 0},
    "except for": {"except": 0},
    "excluding": {"except": 0},
    "other than": {"except": 0},
    "through": {"to": 0},
    "thru": {"to": 0},
    "till": {"to": 0, "until": 0},
    "until": {"to": 0, "until": 0},
    "between": {"between": 0},
    "and": {"and": 0},
    "or": {"and": 0},
    "since": {"since": 0},
    "before": {"before": 0},
    "prior to": {"before": 0},
    "after": {"after": 0},
    "end": {"edge": 0},
    "beginning": {"edge": 0},
    "start": {"edge": 0},
    "middle": {"edge": 0},
    "mid": {"edge": 0},
    "early": {"edge": 0},
    "late": {"edge": 0},
    "quarter": {"unit": "quarter"},
    "quarters": {"unit": "quarter", "plural": 0},
    "qtr": {"unit": "quarter"},
}
_WORDS |= {word: {"number": n} for n, word in enumerate(_NUMBERS, start=1)}
_WORDS |= {word: {"ordinal_word": n} for n, word in enumerate(_ORDINALS, start=1)}
_UNITS = ("minute", "hour", "day", "week", "month", "year")
_WORDS |= {unit: {"unit": unit} for unit in _UNITS}
_WORDS |= {f"{unit}s": {"unit": unit, "plural": 0} for unit in _UNITS}
_WORDS |= {"yr": {"unit": "year"}, "yrs": {"unit": "year", "plural": 0}}
_WORDS |= {name.lower(): {"month": n} for n, name in enumerate(MONTHS, start=1)}
_WORDS |= {name.lower()[:3]: {"month": n} for n, name in enumerate(MONTHS, start=1)}
_WORDS["sept"] = {"month": 9}
_WORDS |= {name.lower(): {"weekday": n} for n, name in enumerate(WEEKDAYS)}
_WORDS |= {name.lower()[:3]: {"weekday": n} for n, name in enumerate(WEEKDAYS)}
_WORDS |= {"tues": {"weekday": 1}, "thur": {"weekday": 3}, "thurs": {"weekday": 3}}

ENGLISH = Language(
    code="en",
    words=_WORDS,
    common=frozenset(
        listed(
            "the no ok so what did do does is are was were my i you we he she it that when who where how which have "
            "has had with "
            "about not be can could me there their at as will would tell show find"
        )
    ),
    past_cues=frozenset(
        listed("did was were had went met said told wrote saw bought happened came left spoke sent got")
    ),
    future_cues=frozenset(listed("will shall schedule going i'll we'll you'll he'll she'll they'll it'll won't due")),
    needs_context=frozenset(
        listed(
            "may march april june august jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed "
            "thu thur thurs fri "
            "sat sun"
        )
    ),
    holiday_words=frozenset(
        listed("black cyber good easter super palm ash holy maundy shrove whit clean giving casual big giga")
    ),
    pronouns=frozenset(listed("i we you he she they it not")),
    capital_months=True,
    past_endings=("ed",),
)
