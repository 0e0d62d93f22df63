insert or replace into ingest.positions (partition, "offset", mark) values ($partition, $offset, $mark)
