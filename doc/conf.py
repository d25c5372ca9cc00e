# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx configuration: make html"""

project = "dcn"
root_doc = "doc/index"
include_patterns = ["doc/*.rst", "doc/notebook/*.rst", "contrib/*/doc/*.rst"]
extensions = ["sphinx.ext.mathjax"]
highlight_language = "none"
html_theme = "alabaster"
