"""Every text of the tables that a person reads exists in Chinese."""

import re
from typing import Any

import pytest

from codeblue.knowledge import translated
from codeblue.knowledge.lookup import listing, look
from codeblue.knowledge.tables import table
from codeblue.knowledge.translated import chinese, row_in_chinese
from tests.matrix.running import Run
