delete from canonical.page_views
