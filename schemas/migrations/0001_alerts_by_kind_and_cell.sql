-- Alerts are derived from the marts: the next night makes them anew, with the columns of their contract.
drop table if exists alerts.alerts;
