"""What an agent asks before it searches: the gate, as far as the tenant has turned it on; pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipelines.resolution.gate import Decision, Resolution, Turn, resolve, too_short
from pipelines.resolution.language import DEFAULT_LANGUAGE
from pipelines.tenants import GateMode, TenantConfiguration, gate_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What to search for a message, and what its turn records.

    `query` is None where nothing may be searched. `decision` is the gate's, to be recorded whether it is obeyed or not;
    None where the gate was not asked. `mode` is what the switch means for this conversation: off, shadow or on.
    """

    query: str | None
    decision: Resolution | None
    mode: GateMode

    @property
    def resolution(self) -> Literal["as_typed", "combined"]:
        """Return how the query came from the message, in the words of a retrieval event."""
        obeyed = self.mode is GateMode.ON and self.decision is not None and self.decision.combined_with is not None
        return "combined" if obeyed else "as_typed"


def resolve_for(
    configuration: TenantConfiguration,
    conversation_id: str,
    message: str,
    history: Sequence[Turn] = (),
    *,
    default_language: str = DEFAULT_LANGUAGE,
) -> Search:
    """Decide what to search for a message of a tenant's conversation.

    The ten-character skip comes before the switch, in every position of it: a short message is not searched. The switch
    is about what follows. Off: the gate is not asked, and the message is searched as typed. Shadow: the gate is asked,
    and the message is searched as typed. On: what the gate says is searched.

    Args:
        configuration: the tenant's, as `pipelines.tenants.run.read_published` reads it; version 0 is off.
        conversation_id: decides, where the gate is on for a share of the conversations, on which side this one is.
        message: exactly as typed.
        history: the turns before it, oldest first, as for `resolve`.
        default_language: where neither the message nor the conversation shows its language.
    """
    mode = gate_for(configuration.gate, configuration.tenant, conversation_id)
    if mode is GateMode.OFF and not too_short(message):
        return Search(query=message, decision=None, mode=mode)
    decision = resolve(message, history, default_language=default_language)
    is_obeyed = mode is GateMode.ON or decision.decision is Decision.SKIP
    return Search(query=decision.query if is_obeyed else message, decision=decision, mode=mode)
