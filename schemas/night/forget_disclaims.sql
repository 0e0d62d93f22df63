delete from night.disclaims where day = $day
