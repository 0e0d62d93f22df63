"""The key of a verdict: a digest of all that the verdict depends on; pure."""

import hashlib

import msgspec

from pipelines.judging.verdict import JudgeIdentity, RetrievalToJudge

_encode = msgspec.json.Encoder().encode


def verdict_key(identity: JudgeIdentity, retrieval: RetrievalToJudge) -> str:
    """Return a key that is equal exactly where the same judge is asked the same thing about the same tenant's content.

    People's labels are about one passage of one retrieval, so there the ids count as well.
    """
    ids = (retrieval.retrieval_id, [passage.passage_id for passage in retrieval.passages])
    content = (
        identity.judge,
        identity.model,
        identity.rubric_version,
        identity.prompt_hash,
        retrieval.tenant,
        retrieval.searched_query,
        retrieval.message,
        [(utterance.role, utterance.text) for utterance in retrieval.conversation],
        [(passage.kind, passage.title, passage.source_date, passage.text) for passage in retrieval.passages],
        ids if identity.judge == "labels" else None,
    )
    return hashlib.sha256(_encode(content)).hexdigest()
