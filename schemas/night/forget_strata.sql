delete from night.strata where day = $day
