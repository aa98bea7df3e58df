# SPDX-License-Identifier: Apache-2.0
"""The script `ventus` of a wheel that has the library inside; needs no numpy."""
import os
import sys
from pathlib import Path


def main():
    command = Path(__file__).resolve().parent / 'ventus/prefix/bin/ventus'
    os.execv(command, [str(command), *sys.argv[1:]])
