# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx configuration: make html"""

project = "dcn"
root_doc = "index"
exclude_patterns = ["_build"]
extensions = ["sphinx.ext.mathjax"]
highlight_language = "none"
html_theme = "alabaster"
