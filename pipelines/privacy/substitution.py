"""Synthetic e-mail addresses: the same person stays one person, the shape stays, and nobody owns them.

The shape is what tokenisers and retrievers react to: where the dots, digits and capitals of the local part stand
and how many labels the host has. Everything else comes from a keyed hash (HMAC-SHA-256), so that the original
can't be found by trying addresses without the key. Hosts end in `.example`, which RFC 2606 reserves.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from email_validator import EmailNotValidError, validate_email

from pipelines.privacy.emails import split_address

RESERVED_DOMAINS = ("example", "test", "invalid", "example.com", "example.net", "example.org")
_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"
_TRIES_AT_THIS_LENGTH = 32


def is_reserved(written: str) -> bool:
    """Whether an address lies under a domain that RFC 2606 reserves, where nobody has a mailbox."""
    _, host = split_address(written)
    name = host.casefold().rstrip(".")
    return any(name == suffix or name.endswith(f".{suffix}") for suffix in RESERVED_DOMAINS)


def person_of(written: str) -> tuple[str, str]:
    """Return mailbox and host of an address in the spelling that tells one person from another.

    Letter case, the dots of the local part and what follows a plus are ways of writing to the same mailbox. Addresses
    that email-validator refuses are compared as they are, in small letters.
    """
    local, host = split_address(written)
    try:
        valid = validate_email(
            f"{local}@{host}",
            check_deliverability=False,
            allow_quoted_local=True,
            allow_domain_literal=True,
            test_environment=True,
            globally_deliverable=False,
        )
    except (EmailNotValidError, UnicodeError):
        return _mailbox(local), host.casefold()
    return _mailbox(valid.local_part), valid.domain.casefold()


def _mailbox(local: str) -> str:
    bare = local.casefold().strip('"')
    return (bare.partition("+")[0] or bare).replace(".", "")


class Substitution:
    """Hands out one synthetic address per person and spelling, and remembers which it handed out.

    Two persons never get the same one. The key decides everything but what happens when two persons collide by chance,
    which the order of asking decides; so ask in a stable order.
    """

    def __init__(self, key: bytes) -> None:
        if len(key) < 16:
            msg = "a key of fewer than 16 bytes can be found by trying"
            raise ValueError(msg)
        self._key = key
        self._locals: dict[tuple[str, str], int] = {}
        self._taken: dict[tuple[str, str], tuple[str, str]] = {}
        self._hosts: dict[str, str] = {}
        self._host_of: dict[str, str] = {}
        self._issued: set[str] = set()

    def address_for(self, written: str) -> str:
        """Return the synthetic address that stands for `written` wherever this person is meant."""
        local, host = split_address(written)
        person = person_of(written)
        synthetic_host = self._host(person[1], host)
        synthetic = f"{self._local(person, local, synthetic_host)}@{synthetic_host}"
        self._issued.add(synthetic)
        return synthetic

    def issued(self, address: str) -> bool:
        """Whether `address` is one that this substitution handed out."""
        return address in self._issued

    def _host(self, host: str, written: str) -> str:
        known = self._hosts.get(host)
        if known is not None:
            return known
        lengths = [max(3, len(label)) for label in written.strip("[]").split(".")[:-1]] or [max(3, len(host))]
        for attempt in count():
            letters = self._letters("host", host, attempt)
            extra = attempt // _TRIES_AT_THIS_LENGTH
            labels = [_word(letters, min(length, 20) + extra) for length in lengths[-3:]]
            candidate = ".".join([*labels, "example"])
            if candidate not in self._host_of:
                break
        self._hosts[host] = candidate
        self._host_of[candidate] = host
        return candidate

    def _local(self, person: tuple[str, str], written: str, host: str) -> str:
        attempt = self._locals.get(person, 0)
        while True:
            name, plus, tag = written.partition("+") if not written.startswith("+") else (written, "", "")
            shaped = _shape(name, self._letters("local", "@".join(person), attempt))
            shaped += _word(self._letters("more", "@".join(person), attempt), attempt // _TRIES_AT_THIS_LENGTH)
            owner = self._taken.setdefault((_mailbox(shaped), host), person)
            if owner == person and shaped.casefold() != name.casefold():
                self._locals[person] = attempt
                return shaped + plus + _shape(tag, self._letters("tag", tag.casefold(), 0))
            attempt += 1

    def _letters(self, purpose: str, text: str, attempt: int) -> Iterator[int]:
        """Return an endless stream of bytes that only the key, the purpose, the text and the attempt decide."""
        for block in count():
            message = "\x00".join((purpose, text, str(attempt), str(block))).encode("utf-8", "surrogatepass")
            yield from hmac.digest(self._key, message, sha256)


def _shape(text: str, letters: Iterator[int]) -> str:
    """Return `text` with other letters and digits in the places of its own; capitals and signs stay."""
    shaped = []
    place = 0
    for character in text:
        if character.isalpha():
            letter = _letter(place, next(letters))
            shaped.append(letter.upper() if character.isupper() else letter)
            place += 1
        else:
            shaped.append(str(next(letters) % 10) if character.isdigit() else character)
    return "".join(shaped)


def _word(letters: Iterator[int], length: int) -> str:
    return "".join(_letter(place, next(letters)) for place in range(length))


def _letter(place: int, byte: int) -> str:
    """Return a consonant in even places and a vowel in odd ones, so that the word can be read aloud."""
    alphabet = _VOWELS if place % 2 else _CONSONANTS
    return alphabet[byte % len(alphabet)]
