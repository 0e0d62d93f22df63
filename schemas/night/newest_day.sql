select reference.newest_night()
