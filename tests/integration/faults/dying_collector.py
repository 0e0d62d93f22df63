"""A collector that dies between what it received and its answer: `… HOME PORT REQUESTS before|after`."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from pipelines.collect.run import serve
from pipelines.io.clock import now
from pipelines.io.spool import SpoolWriter


class Dying(SpoolWriter):
    """A spool whose process is killed at its n-th write, before or after the disk has it."""

    left = int(sys.argv[3])

    def append(self, records: Sequence[bytes]) -> None:
        self.left -= 1
        if self.left == 0 and sys.argv[4] == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        super().append(records)
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    home = Path(sys.argv[1])
    serve(Dying(home / "spool"), home, host="127.0.0.1", port=int(sys.argv[2]), environment="local", now=now)
