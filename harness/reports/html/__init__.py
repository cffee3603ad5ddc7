"""The report as one page of HTML that needs nothing else."""

from harness.reports.html.page import render

__all__ = ["render"]
