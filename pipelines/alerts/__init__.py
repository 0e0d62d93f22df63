"""When a rise of irrelevance is more than noise."""
