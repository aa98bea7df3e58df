# SPDX-License-Identifier: Apache-2.0
"""Writes what a run measured into a page of docs/results, with version, date and host.

The page has one table.  The first `n_keys` columns name a row; a run replaces its own
rows, appends new ones and leaves the others, so each row says which run it is of.
"""
import datetime
import os
import subprocess
import sys
from pathlib import Path

RUN = ('version', 'date', 'host')


def processor():
    """The name of the processor, and how many of them the process may use."""
    name = 'unknown processor'
    try:
        for line in Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines():
            if line.startswith('model name'):
                name = line.split(':', 1)[1].strip()
                break
    except OSError:
        pass
    return f'{name}, {len(os.sched_getaffinity(0))} processors'


def of_this_run(ventus):
    """Version, date and host: the values of the columns RUN."""
    said = subprocess.run([ventus, '--version'], check=True, capture_output=True,
                          text=True).stdout.split()
    commit = subprocess.run(['git', 'describe', '--always', '--dirty'], check=False,
                            cwd=Path(__file__).parent, capture_output=True, text=True)
    version = ' '.join([said[-1], *commit.stdout.split()])
    load = f'load {os.getloadavg()[0]:.0f}'
    return version, datetime.date.today().isoformat(), f'{processor()}, {load}'


def cells(line):
    """The cells of a line of a table; `\\|` is a bar inside of one."""
    parts = line.strip().strip('|').replace('\\|', '\0').split('|')
    return [part.strip().replace('\0', '|') for part in parts]


def line_of(row):
    return '| ' + ' | '.join(str(cell).replace('|', '\\|') for cell in row) + ' |'


def lines_of(page, columns):
    """The lines of a page that has the table; ends the program if it has none."""
    try:
        lines = Path(page).read_text(encoding='utf-8').splitlines()
    except OSError as error:
        sys.exit(f'{page}: {error.strerror}')
    if line_of(columns) not in lines:
        sys.exit(f'{page}: expected a table with the columns {line_of(columns)}')
    return lines


def update(page, columns, n_keys, rows):
    """Puts `rows` into the table of the file `page`, whose columns are `columns`."""
    head = [line_of(columns), '|' + '---|' * len(columns)]
    lines = lines_of(page, columns)
    at = lines.index(head[0])
    end = at
    while end < len(lines) and lines[end].startswith('|'):
        end += 1
    known = {tuple(r[:n_keys]): r for r in map(cells, lines[at + 2:end])}
    for row in rows:
        row = [str(cell) for cell in row]
        assert len(row) == len(columns), (row, columns)
        known[tuple(row[:n_keys])] = row
    table = head + [line_of(row) for row in known.values()]
    Path(page).write_text('\n'.join(lines[:at] + table + lines[end:]) + '\n', encoding='utf-8')
