#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `finish` shows of a function's value, in a batch, on a terminal and for an
editor, and that errors are told in words, never by a trace of Python.  What must be
shown follows from the kernel's text, by hand.

    results.py VENTUS KERNELS SCRIPT"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VENTUS, KERNELS = sys.argv[1], Path(sys.argv[2])
SCRIPT = Path(sys.argv[3]).resolve()
KERNEL = ['results.cl', '--grid', '8', '--arg', 'iota:8', '--arg', 'zeros:64']
PATIENCE = 900  # seconds, as in cmake/ventus.cmake
# GDB's lines come in order although the environment does not ask for it.
PLAIN = {k: v for k, v in os.environ.items() if k != 'PYTHONUNBUFFERED'}

# Of work-item 3: docs/abi.md, Functions.
VALUES = {
    'a_char': "-97 '\\237'", 'a_uchar': "253 '\\375'",
    'a_short3': '{3, -3, 300}', 'a_bool': 'true', 'a_long': '3298534883333',
    'a_long3': '{25769803776, 7, 9}',
    'a_char16': '{3, 2, 1, 0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12}',
    'a_float': '4.5', 'a_pointer': None, 'a_colour': 'RED',
    'an_int16': '{9 <repeats 16 times>}', 'seven': '7'}
UNKNOWN = r'^Value returned is not known: '
STOP = 'break seven if get_global_id(0) == 3'
# what is typed, patterns of what is shown, in order
SESSIONS = {
    'a_structure_is_not_known': (
        ['break a_pair', 'continue', 'finish'], [UNKNOWN + 'a_pair returns']),
    'a_function_without_a_value_has_none': (
        ['break nothing', 'continue', 'finish', 'print 5'],
        [r'^results .*results\.cl:\d+\n\d+\s.*\n\$1 = 5']),
    'the_function_of_the_selected_frame': (
        ['break inner if n == 3', 'continue', 'up', 'finish'],
        [r'^Value returned is \$1 = 8$']),
    'no_value_backwards': (
        [STOP, 'continue', 'next', 'reverse-finish', 'set exec-direction reverse',
         'finish', 'print 5'], [r'^\$1 = 5']),
    'no_value_after_another_stop': (
        ['break outer if n == 3', 'continue', STOP, 'finish', 'print 5'],
        [r'Breakpoint 2, seven', r'^\$1 = 5']),
    'the_value_of_the_selected_thread': (
        ['break seven', 'continue', 'thread 4', 'print n', 'finish'],
        [r'\$1 = 3', r'^Value returned is \$2 = 7']),
    'after_the_end': (
        ['continue', 'finish', 'info lanes', 'who-wrote 0x90000000 4',
         'item 3', 'launch 0', 'info image', 'print v.x', 'display v.x', 'finish',
         'print $_some_lane("1")', 'x/i 0x80000000', 'print 5'],
        ['exited normally', *['The program is not being run.'] * 3,
         r'no item \(3,0,0\)', *['The program is not being run.'] * 2,
         'No symbol', 'No symbol', *['The program is not being run.'] * 2,
         'Cannot access memory', r'\$1 = 5']),
    'while_it_runs': (
        ['continue&', 'info warps', 'who-wrote 1'],
        ['Cannot execute this command while the target is running']),
    'wrong_arguments': (
        ['print $_some_lane()', 'print $_some_lane(5)', 'connect-ventus 65536',
         'who-wrote 1 2 3', 'print v.q'],
        ['expected .*CONDITION', 'inappropriate type', "found '65536'",
         'syntax error', 'No symbol "v"']),
}
INLINED = {
    'an_inlined_function_is_not_known': (
        [STOP, 'continue', 'finish', 'print 5'],
        [UNKNOWN + r'seven is inlined\n\$1 = 5$']),
    'an_inlined_function_that_has_not_returned': (
        ['break inner if n == 3', 'continue', 'up', STOP, 'finish', 'print 5',
         'finish'], [r'Breakpoint 2.*, seven(.*\n){2}\$1 = 5$',
                     UNKNOWN + 'seven is inlined$']),
}


def fail(name, why, shown):
    sys.exit(f'{name}: {why}\n{shown}')


def check(name, shown, patterns):
    at = 0
    if 'Traceback' in shown or 'Python' in shown:
        fail(name, 'an error of Python', shown)
    for pattern in patterns:
        found = re.compile(pattern, re.M).search(shown, at)
        if not found:
            fail(name, f'no {pattern!r}', shown)
        at = found.end()


def debug(folder, commands, *options):
    typed = [x for each in commands for x in ('--ex', each)]
    return subprocess.run(
        [VENTUS, 'debug', '--batch', *typed, *KERNEL, *options], cwd=folder,
        check=False, text=True, stdin=subprocess.DEVNULL, env=PLAIN,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


def play(folder, sessions, *options):
    for name, (commands, patterns) in sessions.items():
        shown = debug(folder, commands, *options)
        check(name, shown, patterns)
        if name.startswith('no_value') and \
                re.search(r'^Value returned is', shown, re.M):
            fail(name, 'a value', shown)


def check_values(folder, *options):
    commands = []
    for each in VALUES:
        commands += [f'tbreak {each} if get_global_id(0) == 3', 'continue',
                     'finish']
    shown = debug(folder, commands, *options)
    pointer = '(int *) 0x10000000c' if options[-1:] == ('ventus2',) else \
        '(int *) 0x9000000c'
    found = re.findall(r'^Value returned is \$\d+ = (.*)$', shown, re.M)
    if found != [each or pointer for each in VALUES.values()]:
        fail('values', found, shown)


class Session:
    """What is typed one by one, when it has been answered."""

    def __init__(self, name, read, write):
        self.name, self.read, self.write = name, read, write
        self.shown = ''

    def until(self, pattern):
        """Reads to the pattern; returns what came before and with it."""
        end, start = time.monotonic() + PATIENCE, len(self.shown)
        while not re.compile(pattern, re.M).search(self.shown, start):
            if not select.select([self.read], [], [], end - time.monotonic())[0]:
                fail(self.name, f'no {pattern!r}', self.shown)
            try:
                part = os.read(self.read, 65536)
            except OSError:  # the end of a terminal
                part = b''
            if not part:
                fail(self.name, f'ended before {pattern!r}', self.shown)
            self.shown += part.decode(errors='replace').replace('\r', '')
        return self.shown[start:]

    def type(self, text, pattern):
        os.write(self.write, text.encode() + b'\n')
        return self.until(pattern)


def check_terminal(folder):
    ours, its = pty.openpty()
    prompt = r'\(gdb\) \Z'
    with subprocess.Popen([VENTUS, 'debug', *KERNEL], cwd=folder, stdin=its,
                          stdout=its, stderr=its,
                          env={**os.environ, 'TERM': 'dumb'}) as p:
        os.close(its)
        s = Session('a terminal', ours, ours)
        s.until(prompt)
        for command in ['set pagination off', 'set confirm off', STOP]:
            s.type(command, prompt)
        s.type('continue', r'hit Breakpoint 1(.|\n)*' + prompt)
        shown = s.type('finish', prompt + r'|Value returned is(.|\n)*' + prompt)
        if not re.search(r'^Value returned is \$1 = 7$', shown, re.M):
            shown += s.until(prompt)
        check('finish on a terminal', shown, [r'^Value returned is \$1 = 7$'])
        s.type('delete', prompt)
        s.type('continue', r'exited normally(.|\n)*' + prompt)
        for command in ['finish', 'info lanes', 'who-wrote 0x90000000 4']:
            check(command, s.type(command, prompt),
                  ['The program is not being run.'])
        os.write(ours, b'quit\n')
        p.wait(PATIENCE)
    os.close(ours)


def check_editor(folder):
    """GDB's machine interface: what an editor reads."""
    with subprocess.Popen([VENTUS, 'debug', '--port', '0', *KERNEL],
                          cwd=folder, text=True, stderr=subprocess.PIPE) as target, \
            subprocess.Popen(['gdb-multiarch', '-nx', '-q', '--interpreter=mi3',
                              '-x', SCRIPT], cwd=folder, stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE) as p:
        port = re.search(r'127\.0\.0\.1:(\d+)', target.stderr.readline())[1]
        s = Session('an editor', p.stdout.fileno(), p.stdin.fileno())
        stop = r'^\*stopped.*\n'
        s.type(f'-target-select remote 127.0.0.1:{port}', r'^\^connected')
        s.type('-interpreter-exec console "sharedlibrary"', r'^\^done')
        s.type('-break-insert -c "n == 3" outer', r'^\^done')
        s.type('-exec-continue', stop)
        shown = s.type('-exec-finish', stop)
        shown += s.type('-break-delete 1', r'^\^done')
        check('-exec-finish', shown,
              [r'reason="function-finished"', r'^~"Value returned is \$1 = 8'])
        s.type('-exec-continue', stop)
        check('-exec-finish after the end', s.type('-exec-finish', r'^\^error.*\n'),
              ['The program is not being run'])
        s.type('-gdb-exit', r'^\^exit')
        check('an editor', s.shown, [])
        target.communicate()


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(KERNELS / 'results.cl', folder)
        check_values(folder)
        check_values(folder, '-O2')
        check_values(folder, '--device', 'ventus2')
        play(folder, SESSIONS)
        play(folder, INLINED, '--check', '-DNI=static')
        check_terminal(folder)
        check_editor(folder)
    print(f'{3 + len(SESSIONS) + len(INLINED) + 2} sessions')


if __name__ == '__main__':
    main()
