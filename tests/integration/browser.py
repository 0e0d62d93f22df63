"""Look at a page in a real browser."""

import shutil
import subprocess
from pathlib import Path

import pytest


def seen_by_browser(url: str, profile: Path) -> str:
    """Return the document as it stands after its scripts ran; skip where there is no chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("there is no chromium on the PATH (Debian: apt-get install chromium)")
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile / 'profile'}"]
    command += ["--virtual-time-budget=30000", "--timeout=60000", "--dump-dom", url]
    return subprocess.run(command, capture_output=True, check=True, timeout=120).stdout.decode()
