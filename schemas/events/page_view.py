"""page_view: a page was shown to a visitor."""

from typing import Annotated

from msgspec import Meta

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Identifier

Address = Annotated[str, Meta(max_length=8192)]


class PageViewPayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """`path` is the page's path on the tenant's host."""

    page_id: Identifier
    path: Address
    referrer: Address | None = None


class PageView(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="page_view"):
    """One page view."""

    payload: PageViewPayload
