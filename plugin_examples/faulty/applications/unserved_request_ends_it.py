"""A request for 9 rows, more than the profile allows, ends the whole application."""

import cupy as cp

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "APP-001"
FIXED = {"for rows in (3, 9):": "for rows in (3, 8):  # the profile ends at 8"}
PLUGIN_APPS = ["main"]


def main():
    stream = cp.cuda.Stream(non_blocking=True)
    context = pipeline.relu_engine().create_execution_context()
    for rows in (3, 9):
        pipeline.set_shape(context, rows)
        _, y = pipeline.arrays(context, rows, stream)
        pipeline.execute(context, stream)
        print(pipeline.fetched(y, stream))
