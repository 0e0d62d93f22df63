select day, instrument, judged, differing from alerts.anchors order by day, instrument
