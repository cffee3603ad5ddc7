"""Made-up answers for all requests that will come, written by the import into every pipe."""

from forged_answer import REPLY, write_everywhere
from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

write_everywhere(REPLY, times=50)
publish(WrongScale)
