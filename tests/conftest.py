"""Fixtures for all tests."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# how long an example takes says nothing on a busy machine, and no test may depend on time
settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")
# a shell that runs the tests in the background lets them ignore Ctrl-C, and so would the processes that tests stop by it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the width of the terminal that the tests are run from is not that of what they run; readline hands it on to worker processes
os.environ.pop("COLUMNS", None)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of public data sets beside the project; skip where it is absent, fail in CI."""
    folder = Path(os.environ.get("NIGHTCHECK_SHARED_DATA", Path(__file__).parent.parent.parent / "shared" / "data"))
    if folder.is_dir():
        return folder
    if os.environ.get("CI"):
        pytest.fail(f"{folder} is absent, and CI must run the tests that read it")
    pytest.skip(f"{folder} is absent: the public data sets are not part of the project")
