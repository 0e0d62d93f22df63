select partition, "offset", mark from ingest.positions
