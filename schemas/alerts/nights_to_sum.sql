-- Published nights that were not summed since they were made, and those in which a verdict may have come since.
select day from night.nights
where published
  and (day not in (select day from alerts.summed_nights) or day in (select day from alerts.summed_nights where not complete))
order by day
