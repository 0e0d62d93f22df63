select notice_id, environment, day, what, text, worst from alerts.notices where due and delivered_at is null order by day, notice_id
