"""A tenant is an exact host name."""

import pytest

from pipelines.tenants.name import InvalidTenantName, normalise


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("help.example.com", "help.example.com"),
        ("HELP.Example.com", "help.example.com"),
        ("www.example.com", "www.example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("localhost", "localhost"),
        ("shop-1.example", "shop-1.example"),
    ],
)
def test_host_names_keep_every_label(text: str, name: str) -> None:
    """Case and IDNA are evened out, nothing is cut off."""
    assert normalise(text) == name


@pytest.mark.parametrize(
    "text",
    ["", ".", "example.com.", ".example.com", "a..example", "https://example.com", "example.com:443", "example.com/x",
     "me@example.com", "192.0.2.1", "[2001:db8::1]", "2001:db8::1", "a b.example", "a_b.example", "-a.example", "a" * 64 + ".example",
     "example.0x7f", "a\x00b.example", "a%2eexample", "\u202eexample.com"],
)  # fmt: skip
def test_what_is_no_host_name_is_refused_with_a_reason(text: str) -> None:
    """Nothing is trimmed into a name."""
    refused = normalise(text)

    assert isinstance(refused, InvalidTenantName)
    assert refused.reason


def test_two_hosts_of_one_domain_are_two_tenants() -> None:
    """No root domain is ever taken."""
    assert normalise("a.example.com") != normalise("b.example.com")
