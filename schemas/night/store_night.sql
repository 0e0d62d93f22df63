insert or replace into night.nights by name
select $day as day, $environments as environments, $frame_hash as frame_hash, $frame_size as frame_size, $sample_size as sample_size,
  $seed as seed, $cap as cap, $watermark as watermark, $judge as judge, $model as model, $rubric_version as rubric_version,
  $prompt_hash as prompt_hash, $disclaim_version as disclaim_version, false as published
