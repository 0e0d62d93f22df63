create or replace temp table erasing_whom as select $tenant as tenant, $visitor as visitor
