delete from night.sample where day = $day
