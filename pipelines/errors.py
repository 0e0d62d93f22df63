"""Errors that a person can act on.

An error here means that the world or the configuration is broken. Trouble that is expected of data (a record that does
not fit its contract, a judge that refuses) is a value, stored and counted, and never one of these.
"""


class NightcheckError(Exception):
    """Something cannot go on; names the thing, the reason and the next step.

    Subclass it once per distinct remedy. The message is built from its three parts, so that none can be forgotten.
    """

    def __init__(self, thing: str, reason: str, next_step: str) -> None:
        super().__init__(f"{thing}: {reason}. {next_step}")
        self.thing = thing
        self.reason = reason
        self.next_step = next_step


class NotTakenError(OSError):
    """Records were not made durable, for a reason that may be told to whoever sent them."""


class UsageError(NightcheckError):
    """The command or its options ask for what cannot be meant; the command line answers it with exit code 2."""
