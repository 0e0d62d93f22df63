"""The scalar types of the wire and their bounds, each in one place."""

from datetime import datetime
from typing import Annotated

from msgspec import Meta

#: an identifier that an application chose; long enough for any key seen in the wild, short enough to index
Identifier = Annotated[str, Meta(min_length=1, max_length=512)]
#: a short name: a purpose, a provider, a kind, a reason
Name = Annotated[str, Meta(min_length=1, max_length=256)]
EventId = Annotated[
    str, Meta(pattern="^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", max_length=36)
]
#: RFC 3339 with an offset; a local time would be a different instant for every reader
Instant = Annotated[datetime, Meta(tz=True)]
#: BCP 47, by its shape only
LanguageTag = Annotated[str, Meta(pattern="^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", max_length=64)]
#: bounds of DuckDB's INTEGER and BIGINT, without which an integer of any size would pass the decoder and fail the batch
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Rank = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Sequence = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Milliseconds = Annotated[float, Meta(ge=0)]
