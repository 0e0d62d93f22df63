select max(day) from night.nights where published
