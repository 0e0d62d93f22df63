delete from night.replayed_decisions where day = $day
