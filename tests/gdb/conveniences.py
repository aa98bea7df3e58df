#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ventus-gdb.py and `ventus debug` add to GDB: names of files, OpenCL's functions
in expressions, components of vectors, instructions, results, writers, an editor's
settings.  The values follow from the kernel, by hand.

    conveniences.py VENTUS HOST"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, HOST = sys.argv[1:]
KERNEL = '''#include "part.h"
kernel void vector(global int *out, global const int *in)
{
    int i = get_global_id(0);
    float4 v = convert_float4(vload4(0, in)) + i;
    int n = square(i);
    out[i] = n + (int)v.y;
}
'''
PART = '''__attribute__((noinline)) int square(int n)
{
    int r = n * n;
    return r;
}
'''
PLAIN = '''__attribute__((noinline)) int twice(int v) {
  int r = v * 2;
  return r;
}
kernel void first(global int *out) {
  out[get_global_id(0)] = twice(1);
}
kernel void second(global int *out) {
  out[get_global_id(0)] = 2;
}
'''
AT = 'sub/k.cl:7'
# what is typed: patterns of what is shown, in order
SESSIONS = {
    **{f'breaks_at_{place}': ([f'break {place}', 'continue'],
                              [rf'hit Breakpoint 1, .* at \S*{name}'])
       for place, name in [
           ('k.cl:7', 'k.cl:7'), (AT, 'k.cl:7'), (f'./{AT}', 'k.cl:7'),
           (f'FOLDER/{AT}', 'k.cl:7'), ('part.h:4', 'part.h:4'),
           ('FOLDER/sub/part.h:4', 'part.h:4'), ('square', r'part.h:\d')]},
    'ids_in_a_condition': (
        ['break k.cl:7 if get_global_id(0) == 37 && get_local_size(0) == 32',
         'continue', 'print get_global_id(0)', 'print get_local_id(0)',
         'print get_num_groups(0)', 'print get_group_id(1)'],
        ['Thread .* hit', r'\$1 = 37', r'\$2 = 5', r'\$3 = 2', r'\$4 = 0']),
    'components_of_a_vector': (
        ['break k.cl:7 if get_global_id(0) == 2', 'continue', 'print v',
         'print v.y', 'print v.s2', 'print v[3]', 'print/x i', 'print v.q',
         'print nothing'],
        [r'\$1 = \{2, 3, 4, 5\}', r'\$2 = 3', r'\$3 = 4', r'\$4 = 5',
         r'\$5 = 0x2', 'component accessor', 'No symbol "nothing"']),
    'a_component_that_is_none_is_said_in_a_line': (
        ['break k.cl:7', 'continue', 'print v.q', 'print 5'],
        [r'\nInvalid OpenCL vector component accessor q\n\$1 = 5']),
    'components_in_a_condition': (
        ['break k.cl:7 if v.x == 5 && i < 9', 'continue', 'print i',
         'print v.hi.y > 7 && v.x < 5', 'print (int)v.w + (v).s1',
         'condition 1 v.hi.y * 2 == 86', 'continue', 'print i'],
        [r'Switching to thread 6 .*\n#0 +vector', r'\$1 = 5', r'\$2 = 0',
         r'\$3 = 14', r'Switching to thread', r'\$4 = 40']),
    'floating_point_in_a_condition': (
        ['break k.cl:7 if v[1] == 12', 'continue', 'print i', 'next',
         'print $gid_x'], [r'\$1 = 11', r'\$2 = 11']),
    'components_in_displays': (
        ['break k.cl:7 if i == 2', 'continue', 'display v.y', 'display/x i',
         'break k.cl:8', 'continue'],
        ['Breakpoint 2', r'v\.y = 3\n', r'/x i = 0x2\n']),
    'components_for_an_editor': (
        ['break k.cl:7 if i == 2', 'continue', 'interpreter-exec mi '
         '"-data-evaluate-expression --language opencl v.y"',
         'with language opencl -- interpreter-exec mi "-var-create - * v.w"'],
        [r'\^done,value="3"', r'\^done,name=.*value="5"']),
    'finish_of_a_thread_that_was_selected': (
        ['break square', 'continue', 'thread 8', 'finish', 'print i'],
        [r'square \(n=7\)', r'Value returned is \$1 = 49', r'\$2 = 7']),
    'finish_that_a_breakpoint_ends_shows_no_value': (
        ['break square if n == 5', 'break part.h:4', 'continue', 'finish',
         'print 8'],
        [r'Breakpoint 1', r'Breakpoint 2', r'part\.h:4\n4\s+return r;\n'
         r'\$1 = 8']),
    'custom_instructions': (
        ['break square', 'continue', 'x/40i vector',
         'interpreter-exec mi "-data-disassemble -s $pc -e $pc+4 -- 0"'],
        ['<vector.*vid.v', r'asm_insns=\[.*inst="v?[a-z.]+\\t']),
    'the_value_of_a_function': (
        ['break square if n == 5', 'continue', 'finish'],
        [r'square \(n=5\)', r'Value returned is \$1 = 25']),
    'who_wrote_an_expression': (
        ['break k.cl:8 if get_global_id(0) == 4', 'continue',
         'who-wrote out[3]', 'who-wrote &out[3]', 'who-wrote'],
        [r'work-item \(3,0,0\), .*k.cl:7', 'is not in memory',
         'expected an expression']),
}


def run(command, folder, **more):
    return subprocess.run(command, cwd=folder, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, **more)


def debug(folder, commands, *words):
    typed = []
    for each in commands:
        typed += ['--ex', each.replace('FOLDER', str(folder))]
    more = {'HOST_OPTIONS': '-g -O0 -Isub'}
    return run([VENTUS, 'debug', '--batch', *typed, *words], folder,
               env={**os.environ, **more}).stdout


def expect(name, shown, patterns):
    at = 0
    for pattern in patterns:
        found = re.compile(pattern).search(shown, at)
        if not found:
            sys.exit(f'{name}: no {pattern!r}\n{shown}')
        at = found.end()


def check_editor(folder):
    p = run([VENTUS, 'debug', '--vscode', '--', './host', 'x'], folder)
    path = folder / '.vscode/launch.json'
    made = json.loads(path.read_text(encoding='utf-8'))['configurations'][0]
    if p.returncode or made['miDebuggerServerAddress'] != '127.0.0.1:4000' or \
            made['program'] != '${workspaceFolder}/./host' or \
            'ventus debug --port 4000 -- ./host x' not in p.stdout:
        sys.exit(f'--vscode: {p.stdout}\n{made}')
    p = run([VENTUS, 'debug', '--vscode', './host'], folder)
    if p.returncode != 1 or 'File exists' not in p.stdout:
        sys.exit(f'--vscode: a file that was there: {p.stdout}')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'sub').mkdir()
        (folder / 'sub/k.cl').write_text(KERNEL, encoding='utf-8')
        (folder / 'sub/part.h').write_text(PART, encoding='utf-8')
        (folder / 'plain.cl').write_text(PLAIN, encoding='utf-8')
        for each, (commands, patterns) in SESSIONS.items():
            expect(each, debug(folder, commands, '--', HOST, AT[:-2], 'vector',
                               '64', '32', 'out:64', 'in:64'), patterns)
        # The kernel alone; the start of one without debug information of its own.
        expect('kernel', debug(folder, ['break k.cl:7', 'continue', 'print n'],
                               'sub/k.cl', '--grid', '64', '--arg', 'zeros:64',
                               '--arg', 'zeros:64'), [r'k\.cl:7', r'\$1 = 0'])
        run([VENTUS, 'cc', '-o', 'plain.elf', 'plain.cl'], folder)
        expect('plain', debug(folder, ['break second', 'continue'], 'plain.elf',
                              'second', '--grid', '32', '--arg', 'zeros:32'),
               [r'second \(\) at \S*plain\.cl:[89]'])
        check_editor(folder)
    print(f'{len(SESSIONS)} sessions')


if __name__ == '__main__':
    main()
