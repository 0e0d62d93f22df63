select content from night.anchors order by tenant, retrieval_id
