#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium for tests of pages, with the network cut off."""
import re
import shutil
import subprocess
import sys

SCHEMES = {'dark': 0, 'light': 1}


def need_chromium():
    """Skips the test where it is not installed."""
    if not shutil.which('chromium'):
        print('skipped: no chromium (apt-get install chromium)')
        sys.exit(77)


def chromium(folder, scheme, *args):
    return subprocess.run(
        ['chromium', '--headless', '--no-sandbox', '--disable-gpu',
         f'--user-data-dir={folder}/profile', '--enable-logging=stderr',
         f'--blink-settings=preferredColorScheme={SCHEMES[scheme]}',
         '--host-resolver-rules=MAP * ~NOTFOUND', '--hide-scrollbars',
         '--virtual-time-budget=3000', *args],
        check=False, capture_output=True, text=True)


def console_errors(p):
    """Lines of its log with an error of the page's console."""
    return re.findall(r'CONSOLE.*(?:[Ee]rror|Uncaught).*', p.stderr)
