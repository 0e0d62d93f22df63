select coalesce(sha256(string_agg(sha256(concat_ws(chr(31), environment, tenant, retrieval_id, kind, position)), '' order by draw, environment)), '')
from frame
