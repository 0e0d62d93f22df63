"""From records to rows: decode, project, run."""
