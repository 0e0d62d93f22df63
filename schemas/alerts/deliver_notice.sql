update alerts.notices set delivered_at = $at where notice_id = $notice_id
