#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions of `ventus debug KERNEL.cl`: breakpoints and steps at calls, of functions
that are called and of those that are inlined; numbers of threads; names of files; how
it ends.  What must be shown follows from the kernel's text, by hand.

    kernel_file.py VENTUS KERNELS"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from process import HANGS_S, catches, wait_for  # noqa: E402

VENTUS, KERNELS = sys.argv[1], Path(sys.argv[2])
KERNEL = 'sub/steps.cl'
TEXT = (KERNELS / 'steps.cl').read_text(encoding='utf-8').splitlines()
LAUNCH = [KERNEL, '--grid', '64', '--local', '32', '--arg', 'zeros:64']


def line(text):
    return next(i + 1 for i, s in enumerate(TEXT) if text in s)


FIRST, STORE, INNER, SAY, BUMP, ONE, TWO, LAST, END = (
    line(text) for text in ['the first line', 'the store', 'the inner call',
                            'of say', 'without a result', 'with one', 'of two',
                            'never called', 'the end'])


def at(n):
    return rf'^{n}\s.*$'


# what is typed: patterns of what is shown, in order.  Functions that can be are called;
# with --check all are inlined.
CALLS = {
    'a_breakpoint_at_a_call_is_before_it': (
        [f'break steps.cl:{BUMP}', 'continue', 'print out[0]', 'step',
         'print n', 'next', 'print *p'],
        [f'hit Breakpoint 1, steps .*:{BUMP}', r'\$1 = 0$',
         rf'^bump \(p=.*, n=1\) at .*:{STORE}', r'\$2 = 1', r'\$3 = 1']),
    'next_goes_over_a_call': (
        [f'break steps.cl:{BUMP}', 'continue', 'next', 'next', 'next', 'next',
         'next'],
        [at(BUMP), at(ONE), at(TWO), at(LAST), at(END)]),
    'step_enters_each_call': (
        [f'break steps.cl:{TWO}', 'continue', 'step', 'step', 'bt', 'step',
         'step'],
        [at(TWO), rf'^nested .*:{INNER}', rf'^twice .*:{FIRST}',
         '#0 .*twice', '#1 .*nested', '#2 .*steps', at(FIRST + 1)]),
    'step_enters_what_cannot_be_called': (
        [f'break steps.cl:{LAST}', 'continue', 'step', 'bt', 'step'],
        [at(LAST), rf'^say .*:{SAY}', '#0 .*say', '#1 .*steps', at(END)]),
    'steps_back_stop_at_the_first_line_of_a_function': (
        [f'tbreak steps.cl:{FIRST + 2}', 'continue', *['reverse-step'] * 3,
         'step'],
        [at(FIRST + 2), at(FIRST + 1), at(FIRST), at(ONE),
         rf'^twice .*:{FIRST}']),
    'a_function_of_a_file': (
        ['break steps.cl:twice', 'break ./sub/steps.cl:nested', 'continue'],
        [rf'Breakpoint 1 at .*{FIRST}', rf'Breakpoint 2 at .*{INNER}',
         r'Breakpoint 1, twice \(a=0\)']),
}
INLINED = {
    'a_breakpoint_at_an_inlined_call_is_before_it': (
        [f'break steps.cl:{BUMP}', 'continue', 'print out[0]', 'step',
         'print n', 'next', 'print out[0]'],
        [f'hit Breakpoint 1, steps .*:{BUMP}', r'\$1 = 0$',
         rf'^bump \(p=.*, n=1\) at .*:{STORE}', r'\$2 = 1', at(ONE), r'\$3 = 1']),
    'next_goes_over_an_inlined_call': CALLS['next_goes_over_a_call'],
    'step_enters_each_inlined_call': CALLS['step_enters_each_call'],
    'steps_back_stop_at_the_first_line_of_an_inlined_function': (
        [f'tbreak steps.cl:{FIRST + 1}', 'continue', 'reverse-step',
         'reverse-step', 'step'],
        [at(FIRST + 1), at(FIRST), at(ONE), rf'^twice .*:{FIRST}']),
    'the_entry_of_an_inlined_function': (
        ['break twice', 'continue', 'print a', 'up', 'continue', 'bt'],
        [rf'twice \(a=0\) at .*:{FIRST}', r'\$1 = 0', at(ONE),
         rf'twice \(a=.*:{FIRST}', '#1 .*nested', '#2 .*steps']),
}
FILES = {
    f'breaks_at_{place}': ([f'break {place}:{ONE}'],
                           [rf'Breakpoint 1 at .*steps\.cl, line {ONE}\.'])
    for place in ['steps.cl', 'sub/steps.cl', './sub/steps.cl',
                  'FOLDER/sub/steps.cl']}


def run(folder, *words):
    return subprocess.run([VENTUS, 'debug', *words], cwd=folder, check=False,
                          text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL)


def debug(folder, commands, *options, size='64'):
    typed = []
    for each in commands:
        typed += ['--ex', each.replace('FOLDER', str(folder))]
    launch = [x.replace('64', size) for x in LAUNCH]
    return run(folder, '--batch', *options, *typed, *launch).stdout


def play(folder, sessions, *options):
    for name, (commands, patterns) in sessions.items():
        shown, start = debug(folder, commands, *options), 0
        for pattern in patterns:
            found = re.compile(pattern, re.M).search(shown, start)
            if not found:
                sys.exit(f'{name}: no {pattern!r}\n{shown}')
            start = found.end()


def lanes(shown):
    """{global id: number} of the last `info lanes`."""
    rows = re.findall(r'^[* ] \d+ +(\S+) +\((\d+),0,0\)', shown, re.M)
    return {int(item): number for number, item in rows[-32:]}


# GDB's number of each thread is that of the protocol.
SAME = ('python print("same", all(t.num == t.ptid[1] '
        'for t in gdb.selected_inferior().threads()))')


def check_numbers(folder):
    """At each stop, forwards and backwards."""
    moves = [f'break steps.cl:{ONE} if get_global_id(0) % 45 == 11', *['continue'] * 3,
             'reverse-continue', 'reverse-continue', 'reverse-stepi', 'continue',
             'reverse-continue', 'reverse-continue', 'continue', 'continue']
    shown = debug(folder, [x for move in moves for x in (move, SAME)], '--threads', '1',
                  size='512')
    if shown.count('same True') != len(moves) or len(
            set(re.findall(r'Switching to Thread (\d+)', shown))) < 3:
        sys.exit(f'threads: other numbers\n{shown}')


def check_threads(folder):
    """One number of a work-item, whatever has begun or ended before."""
    stop = f'break steps.cl:{END} if get_global_id(0) == 37'
    shown = debug(folder, [stop, 'continue', 'info lanes'])
    numbers = lanes(shown)
    hit = re.search(r'Thread (\d+) hit', shown)[1]
    switched = re.search(r'Switching to Thread (\d+)', shown)
    if numbers[37] != hit or switched and switched[1] != hit:
        sys.exit(f'threads: {numbers[37]} is not {hit}\n{shown}')
    back = ['reverse-continue', f'tbreak steps.cl:{ONE} if $gid_x == 3',
            'continue', 'info lanes', 'continue', 'info lanes']
    shown = debug(folder, [stop, 'continue', *back])
    numbers = lanes(shown)
    if len(numbers) != 32 or 37 not in numbers:
        sys.exit(f'threads: no lanes\n{shown}')
    wanted = [37, 60, 32]
    asks = [x for i in wanted for x in (f'thread {numbers[i]}', 'print $gid_x')]
    shown = debug(folder, [stop, 'continue', *back, *asks])
    if re.findall(r'^\$\d+ = (\d+)$', shown, re.M) != [str(i) for i in wanted]:
        sys.exit(f'threads: numbers {numbers} select others\n{shown}')


def check_port(folder):
    """The form that waits for a GDB: the kernel runs when one has come and gone."""
    with subprocess.Popen([VENTUS, 'debug', '--port', '0', *LAUNCH, '--show', '0'],
                          cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as target:
        waits = target.stderr.readline()
        port = re.search(r'127\.0\.0\.1:(\d+)', waits)
        if not port:
            sys.exit(f'--port: {waits}{target.stderr.read()}')
        p = subprocess.run(['gdb-multiarch', '-nx', '-batch', '-ex',
                            f'target remote 127.0.0.1:{port[1]}', '-ex',
                            'print $gid_x', '-ex', 'detach'], check=False,
                           text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
        out, err = target.communicate()
        if '$1 = 0' not in p.stdout or target.returncode or '0:' not in out:
            sys.exit(f'--port: {p.stdout}{out}{err}')


def check_finding(folder):
    """A finding of --check stops in the work-item that it names."""
    (folder / 'beyond.cl').write_text(
        'kernel void beyond(global int *out)\n{\n'
        '    int i = get_global_id(0);\n    out[i] = i;\n}\n', encoding='utf-8')
    shown = run(folder, '--batch', '--check', '--ex', 'continue', '--ex',
                'print $gid_x', '--ex', 'print i', 'beyond.cl', '--grid', '16',
                '--local', '16', '--arg', 'zeros:11').stdout
    if 'write by work-item (11,0,0)' not in shown or \
            not re.search(r'\$1 = 11\n\$2 = 11\n', shown):
        sys.exit(f'finding: another work-item\n{shown}')


def check_ends(folder):
    for words, status, text in [
            (['nothing.cl'], 1, 'nothing.cl: error: cannot read: No such file'),
            (['nothing.s', '--grid', '4'], 1, 'No such file'),
            ([KERNEL], 2, 'expected --grid'),
            (['--debugger', 'false', *LAUNCH], 1, 'false: ended with status 1'),
            (['--debugger', './none', *LAUNCH], 1, './none: No such file'),
            (['--batch', '--ex', 'continue', *LAUNCH], 0, 'exited normally'),
            (['--batch', '--ex', 'continue', '--ex', 'wrong', *LAUNCH], 1,
             'ended with status 1')]:
        p = run(folder, *words)
        if p.returncode != status or text not in p.stdout:
            sys.exit(f'{" ".join(words)}: {p.returncode}, {p.stdout}')


# Debuggers: one that an interrupt ends, one that gives up after it, others that end
# before it.  The last ones have no batch: the program goes on.
ENDS_BY_INTERRUPT = '#!/bin/sh\nkill -INT $$\n'
GIVES_UP = '#!/bin/sh\nkill -INT $PPID\nexit 1\n'
ENDLESS = ['endless.cl', '--grid', '64', '--arg', 'zeros:64']
INTERRUPTED = {
    'an_interrupt_that_ends_the_debugger': (ENDS_BY_INTERRUPT, [], ENDLESS, 0),
    'an_interrupt_before_the_connection': (GIVES_UP, ['--batch'], ENDLESS, 0),
    'an_interrupt_after_the_debugger': ('#!/bin/sh\n', [], ENDLESS, 1),
    'an_interrupt_after_one_that_failed': ('#!/bin/sh\nexit 1\n', [], ENDLESS, 1),
    'an_interrupt_of_a_program_that_ignores_it': (
        '#!/bin/sh\n', [], ['--', 'sh', '-c', 'trap "" INT; while :; do :; done'], 1),
    'an_interrupt_of_a_batch': (None, ['--batch', '--ex', 'continue'], ENDLESS, 1)}


def check_interrupts(folder):
    """What runs on when GDB has ended, and a batch, end by Ctrl-C, with 130."""
    (folder / 'endless.cl').write_text(
        'kernel void endless(global int *a) { while (!a[0]) a[1]++; }\n',
        encoding='utf-8')
    for name, (script, options, subject, interrupts) in INTERRUPTED.items():
        words = [VENTUS, 'debug', *options]
        if script:
            (folder / 'debugger').write_text(script, encoding='utf-8')
            (folder / 'debugger').chmod(0o755)
            words += ['--debugger', './debugger']
        with subprocess.Popen(
                [*words, *subject], cwd=folder, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, start_new_session=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        ) as p:
            wait_for(lambda: p.poll() is not None or catches(p.pid, signal.SIGINT))
            ended, end = None, time.monotonic() + HANGS_S
            while ended is None and time.monotonic() < end:
                try:  # to the end of output: nothing is left behind
                    ended = p.communicate(timeout=0.1)[0]
                except subprocess.TimeoutExpired:
                    if interrupts:
                        os.killpg(p.pid, signal.SIGINT)
            if ended is None:
                p.terminate()
            if p.wait() != 130:
                sys.exit(f'{name}: {p.returncode}, {ended}')


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'sub').mkdir()
        shutil.copy(KERNELS / 'steps.cl', folder / 'sub')
        play(folder, CALLS)
        play(folder, INLINED, '--check')
        play(folder, FILES)
        check_threads(folder)
        check_numbers(folder)
        check_port(folder)
        check_finding(folder)
        check_ends(folder)
        check_interrupts(folder)
    print(f'{len(CALLS) + len(INLINED) + len(FILES)} sessions')


if __name__ == '__main__':
    main()
