update night.nights set published = false
