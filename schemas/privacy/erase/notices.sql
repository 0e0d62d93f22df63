-- A notice names retrievals to read first; one that was erased can't be read.
update alerts.notices
set text = regexp_replace(text, '(^|[ ,])' || regexp_escape($retrieval) || '($|[ ,\n])', '\1(erased)\2', 'g')
where contains(text, $retrieval)
