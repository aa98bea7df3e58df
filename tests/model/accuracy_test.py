#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The comparison with measured programs, on a folder made here.

usage: accuracy_test.py VENTUS

What is "measured" is the model's own run, so that the error is known: none, or what
was changed in the folder.  That a folder of other programs is taken, and that a wrong
one is refused, is shown as well.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from micro import text_of, write_case

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = '''
    li      t0, 0x90000000
    vid.v   v1
    vsll.vi v1, v1, 2
    vadd.vx v1, v1, t0
    vlw12.v v2, 0(v1)
    vadd.vi v2, v2, 1
    vsw12.v v2, 0(v1)
    endprg  x0, x0, x0
'''
WRONG = []


def check(name, ok, found):
    if not ok:
        WRONG.append(name)
        print(f'{name}: {found}')


def make_folder(ventus, folder):
    cases = os.path.join(folder, 'cases')
    os.mkdir(cases)
    source = os.path.join(folder, 'one.s')
    with open(source, 'w', encoding='ascii') as f:
        f.write(PROGRAM)
    subprocess.run([ventus, 'as', source, '-o', source + '.o'], check=True)
    with open(source + '.o', 'rb') as f:
        words = text_of(f.read())
    write_case(os.path.join(cases, 'one'), words, 2)


def record(ventus, folder, *settings):
    """Cycles of the program, whose events become those of the RTL."""
    command = [ventus, 'exec', '--model', 'chisel-2sm', '--json', '--events',
               os.path.join(folder, 'one.trace'), '--set', 'num_thread=32',
               '--all-lanes', os.path.join(folder, 'cases', 'one.metadata')]
    for s in settings:
        command += ['--set', s]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)['cycles']


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w', encoding='ascii') as f:
        f.write(text)


def read(folder, name):
    with open(os.path.join(folder, name), encoding='ascii') as f:
        return f.read()


def compare(ventus, folder, *options):
    """Exit status, the row of the program and its last column, the output."""
    done = subprocess.run(
        [sys.executable, os.path.join(HERE, 'accuracy_chisel.py'), ventus,
         folder, *options], capture_output=True, text=True, check=False)
    row = re.search(r'^\| one \|.*', done.stdout, re.M)
    cells = [c.strip() for c in row.group().strip('|').split('|')] if row else []
    return done.returncode, cells, done.stdout + done.stderr


def check_errors(ventus, folder, cycles):
    write(folder, 'totals.txt', f'# a comment\none {cycles} late 1 2 9\n')
    status, cells, out = compare(ventus, folder, '--check')
    check('the same', status == 0 and cells[5:] ==
          ['+0.0 %', '100 %', '100 %', '100 %', 'the same'], out)
    segments = re.findall(r'^\| [^|]+ \| \d+ \| (-?\d+) \| (-?\d+) \| \+0 \|$',
                          out, re.M)
    check('the path', sum(int(a) for a, _ in segments) == cycles and
          all(a == b for a, b in segments), out)
    cycles = record(ventus, folder, 'reset_cycles=16')
    trace = read(folder, 'one.trace')
    # The RTL's other SM, and its issue of the vlw12.v 3 cycles before ours.
    at = re.search(r'^(\d+) I (\d) 1 (\S+ \S+)\n(?=(.*\n)*?\d+ A)', trace, re.M)
    load = [m for m in re.finditer(r'^(\d+) I \d 1 (\S+) (\S+)$', trace, re.M)
            if re.search(rf' A \d 1 {m.group(2)} ', trace)][0]
    early = trace.replace(load.group(), load.group().replace(
        load.group(1), str(int(load.group(1)) - 3), 1))
    sm = at.group(2)
    early = re.sub(rf'( [IAWSE]) {sm} ', rf'\1 {1 - int(sm)} ', early)
    write(folder, 'one.trace', early)
    write(folder, 'totals.txt', f'one {cycles * 2} reset 1 2 9\n')
    status, cells, out = compare(ventus, folder)
    now = int(load.group(1))
    check('half, and one issue early', status == 0 and cells[1] == 'reset' and
          cells[5] == '-50.0 %' and cells[6] != '100 %' and
          cells[7:9] == ['100 %', '100 %'] and
          cells[9] == f'I w1 {load.group(2)} {load.group(3)}: {now - 3}, '
          f'model {now} (+3)', out)
    # An issue that the model does not have.
    write(folder, 'totals.txt', f'one {cycles} reset 1 2 9\n')
    write(folder, 'one.trace', trace + '9999 I 1 1 80000100 00000013\n')
    status, cells, out = compare(ventus, folder)
    check('one more', cells[9].endswith('9999, model none'), out)
    # The preset that totals.txt names, where --preset names none.
    write(folder, 'totals.txt', f'# preset rtl-verilog\none {cycles} late 1 2 9\n')
    named, asked = (compare(ventus, folder, *o)[1][4] for o in
                    ([], ['--preset', 'chisel-2sm']))
    check('the preset of totals.txt', named != str(cycles) and asked != named,
          (named, asked))
    write(folder, 'totals.txt', 'one 1 late 1 2 9\n')
    status, _, out = compare(ventus, folder, '--tables', 'mine', '--check')
    check('nothing was reached', status == 1 and 'nothing is known of mine' in out, out)
    check('worse than before', compare(ventus, folder, '--check')[0] == 1, '')
    os.remove(os.path.join(folder, 'one.trace'))
    check('no trace', compare(ventus, folder)[1][6:] == ['-'] * 4, '')


def check_refusals(ventus, folder):
    write(folder, 'totals.txt', 'one 100 soon 1 2 9\n')
    status, _, out = compare(ventus, folder)
    check('another start', status == 1 and
          'totals.txt:1: expected a name, cycles, late or reset' in out, out)
    write(folder, 'totals.txt', 'two 100 late 1 2 9\n')
    status, _, out = compare(ventus, folder)
    check('no such case', status == 1 and out.startswith('two: ') and
          'two.metadata' in out, out)
    status, _, out = compare(ventus, folder, '--case', 'three')
    check('no such program', status == 1 and 'no program three' in out, out)
    status, _, out = compare(ventus, os.path.join(folder, 'cases'))
    check('no folder of programs', status == 77, out)


def check_page(ventus, folder, cycles):
    """Tables replace what stood between their lines, and nothing else."""
    write(folder, 'totals.txt', f'one {cycles} late 1 2 9\n')
    page = 'a\n<!-- chisel groups -->\nold\n<!-- end -->\nb\n' \
        '<!-- chisel programs -->\n<!-- end -->\nc\n'
    write(folder, 'page.md', page)
    to = os.path.join(folder, 'page.md')
    for _ in range(2):
        status, _, out = compare(ventus, folder, '--write', to)
    text = read(folder, 'page.md')
    check('page', status == 0 and 'old' not in text and
          text.count('| one |') == 1 and text.startswith('a\n') and
          text.endswith('<!-- end -->\nc\n') and
          text.count('| all | 1 |') == 1, out + text)
    write(folder, 'page.md', 'nothing\n')
    status, _, out = compare(ventus, folder, '--write', to)
    check('no place', status == 1 and 'expected a line' in out, out)


def main():
    with tempfile.TemporaryDirectory() as folder:
        make_folder(sys.argv[1], folder)
        cycles = record(sys.argv[1], folder)
        check_errors(sys.argv[1], folder, cycles)
        check_refusals(sys.argv[1], folder)
        check_page(sys.argv[1], folder, cycles)
    print(f'{len(WRONG)} wrong')
    return 1 if WRONG else 0


if __name__ == '__main__':
    sys.exit(main())
