delete from night.dated_questions where day = $day
