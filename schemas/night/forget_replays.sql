delete from night.replays where day = $day
