update night.nights set published = true where day = $day
