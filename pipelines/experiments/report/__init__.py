"""A reading as text for a terminal or a file, and as one page with pictures."""

from pipelines.experiments.report.markdown import as_markdown
from pipelines.experiments.report.page import as_page
from pipelines.experiments.report.pictures import Picture, pictures

__all__ = ["Picture", "as_markdown", "as_page", "pictures"]
