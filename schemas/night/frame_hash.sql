-- Equal for equal frames in any order. It tells frames apart that came about by themselves; it is no seal against someone who chooses ids.
select sha256(concat_ws(chr(31), count(*), bit_xor(md5_number(concat_ws(chr(31), environment, tenant, retrieval_id, kind, position)))))
from frame
