select coalesce(bool_or(is_whole), false) from night.replays where day = $day
