insert into night.anchors by name
select * from new_anchors
where (tenant, retrieval_id) not in (select tenant, retrieval_id from night.anchors)
