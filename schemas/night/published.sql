select day from night.nights where published order by day
