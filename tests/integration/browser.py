"""Look at a page in a real browser."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

#: nothing beyond this machine is reached, by a page or by the browser for itself
_QUIET = ("--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
_NO_PAGE = "not an origin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A page as a browser drew it: its document after its scripts ran, every address it asked for, and a picture."""

    document: str
    asked: tuple[str, ...]
    picture: Path


def seen_by_browser(url: str, profile: Path) -> str:
    """Return the document as it stands after its scripts ran; skip where there is no chromium."""
    return _run(profile, "--virtual-time-budget=30000", "--timeout=60000", "--dump-dom", url)


def drawn_by_browser(url: str, profile: Path, *, width: int = 1100, height: int = 2600) -> Seen:
    """Return what a browser shows of a page in a window of this size, and what it asked for; skip where there is none."""
    log, picture = profile / "net.json", profile / "picture.png"
    window = f"--window-size={width},{height}"
    document = _run(profile, f"--log-net-log={log}", "--dump-dom", window, url)
    _run(profile, f"--screenshot={picture}", window, url)
    return Seen(document=document, asked=tuple(_asked(log)), picture=picture)


def _run(profile: Path, *arguments: str) -> str:
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium on the PATH (Debian: apt-get install chromium)")
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile / 'profile'}"]
    return subprocess.run([*command, *_QUIET, *arguments], capture_output=True, check=True, timeout=120).stdout.decode()


def _asked(log: Path) -> Sequence[str]:
    """Return the addresses that a page asked for, from the log of the browser's network."""
    said = [each.get("params", {}) for each in json.loads(log.read_text(encoding="utf-8"))["events"]]
    # what the browser asks for itself has no page behind it
    return [each["url"] for each in said if each.get("initiator", _NO_PAGE) != _NO_PAGE]
