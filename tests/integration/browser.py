"""Look at a page in a real browser."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

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


#: a page that holds another one in a frame of some width, and says what of it does not fit
_FRAME = """<!doctype html><iframe id="frame" src="{url}" style="width:{width}px;height:1000px;border:0"></iframe>
<pre id="said"></pre><script>
const hides = each => /auto|scroll|hidden|clip/.test(getComputedStyle(each).overflowX);
setInterval(() => {{
  const page = frame.contentDocument, wide = each => each.scrollWidth > each.clientWidth + 1;
  const holding = [...page.querySelectorAll("*")].filter(each => each.querySelector("table") && hides(each));
  const found = [page.documentElement, ...holding].filter(wide);
  said.textContent = JSON.stringify({{
    tables: page.querySelectorAll("table").length,
    wide: found.map(each => `${{each.tagName}} ${{each.className}}: ${{each.scrollWidth}} in ${{each.clientWidth}}`),
  }});
}}, 200);
</script>"""


def too_wide(url: str, folder: Path, *, width: int) -> list[str]:
    """Return what scrolls sideways in a window of this width: the page itself, or what holds one of its tables.

    `url` is an address on the loopback, or the name of a page in `folder`.
    """
    (folder / "frame.html").write_text(_FRAME.format(url=url, width=width), encoding="utf-8")
    # from one address of the loopback into a frame of another: a browser would not let a page look
    may_look = ("--disable-web-security", "--disable-site-isolation-trials")
    waits = ("--virtual-time-budget=30000", "--timeout=60000", f"--window-size={width + 50},1100")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder))) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            here = f"http://127.0.0.1:{server.server_port}/frame.html"
            document = _run(folder, *may_look, *waits, "--dump-dom", here)
        finally:
            server.shutdown()
            serving.join()
    (said,) = re.findall(r'<pre id="said">(.*?)</pre>', document, re.DOTALL)
    found = json.loads(unescape(said))
    assert found["tables"], "a page without its tables has nothing that could be too wide"
    return list(found["wide"])


class _Silent(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""
