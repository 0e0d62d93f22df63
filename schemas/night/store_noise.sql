insert into night.noise by name
select $day as day, $environment as environment, $measure as measure, $judge as judge, $model as model,
  $rubric_version as rubric_version, $prompt_hash as prompt_hash, $measured_at as measured_at, $retrievals as retrievals,
  $passages as passages, $compared as compared, $moved as moved, $irrelevant_before as irrelevant_before,
  $irrelevant_after as irrelevant_after, $standard_error as standard_error
