"""Models that strategies ask, over the network or from what was recorded."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager

from pipelines.address import checked_setting
from pipelines.errors import NightcheckError
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies import Completion, Model, Prompt, Recorded, names_recorded
from pipelines.io.llm import ChatEndpoint
from schemas.chat import Outcome

_TIMEOUT = 60.0
#: utterances of the conversation that a model is shown
_SHOWN = 12


class NoAnswerError(NightcheckError):
    """A model gave no answer."""

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(f"model {model}", f"no answer: {reason}", "Run the experiment again for what is missing")


class ChatModel:
    """A model behind an OpenAI-compatible endpoint; each call is timed."""

    def __init__(self, name: str, endpoint: ChatEndpoint) -> None:
        self._name = name
        self._endpoint = endpoint

    @property
    def name(self) -> str:
        """Return the model's name at the endpoint."""
        return self._name

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask once; raises `NoAnswerError` for whatever is not a whole answer."""
        began = time.perf_counter()
        reply = await self._endpoint.ask({"model": self._name, "messages": messages(prompt)})
        if reply.outcome is not Outcome.ANSWERED:
            raise NoAnswerError(self._name, f"{reply.outcome.value} {reply.detail or ''}".strip())
        return Completion(
            text=reply.text,
            prompt_tokens=reply.tokens.prompt,
            completion_tokens=reply.tokens.completion,
            latency_ms=(time.perf_counter() - began) * 1000,
        )


def messages(prompt: Prompt) -> list[dict[str, str]]:
    """Return the instructions, and the conversation as one block of data that ends with the message."""
    said = [f"{utterance.role}: {utterance.text}" for utterance in prompt.item.history[-_SHOWN:]]
    conversation = "\n".join([*said, f"visitor's last message: {prompt.item.message}"])
    return [
        {"role": "system", "content": prompt.instructions},
        {"role": "user", "content": f"<conversation>\n{conversation}\n</conversation>"},
    ]


def model_chooser(
    items: Sequence[Item], environment: Mapping[str, str]
) -> tuple[Callable[[str], Model], tuple[AbstractAsyncContextManager[object], ...]]:
    """Return what gives the model of a name, and what must be open meanwhile.

    Names of recorded texts, with commas between, replay them; any other name is asked for at
    `NIGHTCHECK_MODEL_BASE_URL`, OpenAI's own service by default, with the key `OPENAI_API_KEY`.
    """
    recorded = set(names_recorded(items))
    endpoint = ChatEndpoint(
        base_url=checked_setting("NIGHTCHECK_MODEL_BASE_URL", environment),
        api_key=environment.get("OPENAI_API_KEY") or "none",
        timeout=_TIMEOUT,
    )

    def choose(name: str) -> Model:
        names = name.split(",")
        return Recorded(names) if recorded.issuperset(names) else ChatModel(name, endpoint)

    return choose, (endpoint,)
