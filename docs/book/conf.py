# SPDX-License-Identifier: Apache-2.0
"""How Sphinx makes the book; scripts/docs starts it."""
import os

project = 'Ventus in C'
author = project
copyright = 'Apache-2.0'  # pylint: disable=redefined-builtin
release = version = os.environ.get('VENTUS_VERSION', '')
extensions = ['myst_parser']
source_suffix = {'.md': 'markdown'}
myst_heading_anchors = 4
suppress_warnings = ['myst.header']
exclude_patterns = ['book', 'man']
highlight_language = 'none'
html_theme = 'alabaster'
templates_path = ['templates']
html_static_path = ['static']
html_css_files = ['book.css']
html_search_scorer = os.path.join(os.path.dirname(__file__), 'scorer.js')
html_theme_options = {
    'description': 'the Ventus GPGPU as software',
    'page_width': 'min(1400px, 96vw)',
    'sidebar_width': '260px',
    'body_max_width': '1060px',
    'fixed_sidebar': True,
    'show_powered_by': False,
}
html_sidebars = {'**': ['about.html', 'searchbox.html', 'navigation.html']}
html_show_sourcelink = False
html_copy_source = False
