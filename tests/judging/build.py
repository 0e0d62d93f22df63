"""Retrievals to judge, written in one line."""

from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, Utterance


def a_retrieval(
    *texts: str | None,
    query: str = "Which plans include single sign-on?",
    message: str | None = None,
    said: tuple[tuple[str, str], ...] = (),
    retrieval_id: str = "r-1",
    tenant: str = "help.example.com",
    kind: str = "document",
) -> RetrievalToJudge:
    """Return a retrieval that found these texts, in rank order, with passage ids d-1, d-2 and so on."""
    return RetrievalToJudge(
        tenant=tenant,
        retrieval_id=retrieval_id,
        searched_query=query,
        message=query if message is None else message,
        conversation=tuple(Utterance(role=role, text=text) for role, text in said),
        passages=tuple(
            PassageToJudge(rank=rank, passage_id=f"d-{rank}", kind=kind, text=text)
            for rank, text in enumerate(texts, start=1)
        ),
    )
