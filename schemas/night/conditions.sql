select judge, model, rubric_version, frame_size, sample_size, cap, seed, published from night.nights where day = $day
