"""Which questions name a time: the parser of time phrases run over what was searched."""

from pipelines.resolution.dated.questions import dated_questions

__all__ = ["dated_questions"]
