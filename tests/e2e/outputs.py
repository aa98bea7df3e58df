#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Output that is lost, and what cannot be written: one rule of exit codes.

    outputs.py VENTUS TREE [with-cc] [with-cl PROGRAM]

Every subcommand writes to a full disk, to a pipe that is closed, and to a path
that is none; unknown options are status 2.
"""
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, TREE = sys.argv[1], Path(sys.argv[2])
WITH_CC = 'with-cc' in sys.argv
PROGRAM = sys.argv[-1] if 'with-cl' in sys.argv else None
COMMANDS = ['as', 'cc', 'compare', 'dis', 'exec', 'info', 'isa', 'link', 'report', 'run',
            'tile']
FULL, CLOSED = 'No space left', 'Broken pipe'
failures = []


def run(*args, stdout=subprocess.DEVNULL, **more):
    return subprocess.run([VENTUS, *map(str, args)], stdout=stdout, text=True,
                          stderr=subprocess.PIPE, check=False,
                          **more)


def expect(status, words, done, args):
    # What failed while the command still ran is known, its reason is not.
    found = words in done.stderr or \
        (words in (FULL, CLOSED) and 'output was lost' in done.stderr)
    if done.returncode != status or not found:
        failures.append(f'{" ".join(map(str, args))}: status '
                        f'{done.returncode}, expected {status} and {words!r}: '
                        f'{done.stderr[-300:]}')


def to_full(*args):
    """Standard output on a disk that is full."""
    with open('/dev/full', 'wb') as full:
        expect(1, FULL, run(*args, stdout=full), args)


def to_closed(*args):
    """A pipe that nothing reads, with SIGPIPE and without."""
    for handler in signal.SIG_DFL, signal.SIG_IGN:
        read, write = os.pipe()
        os.close(read)
        done = run(*args, stdout=write, restore_signals=False,
                   preexec_fn=lambda: signal.signal(signal.SIGPIPE, handler))
        os.close(write)
        if handler == signal.SIG_IGN:
            expect(1, CLOSED, done, args)
        elif done.returncode == 0:
            failures.append(f'{args}: status 0 with a closed pipe')


def lost(*args):
    to_full(*args)
    to_closed(*args)


def prepare(tmp):
    """Files for the commands: a.o, k.json, k.cl; and the launch of vecadd."""
    vecadd = TREE / 'examples/vecadd.s'
    launch = ['exec', vecadd, '--grid', 8, '--local', 8, '--arg', 'fiota:8',
              '--arg', 'fiota:8', '--arg', 'zeros:8']
    run('as', '-o', tmp / 'a.o', vecadd)
    report = run(*launch, '--model', 'chisel', '--json', '--stats', '--hot',
                 stdout=subprocess.PIPE).stdout
    (tmp / 'k.json').write_text(report)
    (tmp / 'k.cl').write_text('kernel void k(void) { printf("x"); }\n')
    return launch


def printed(tmp, launch):
    """What subcommands print."""
    vecadd = launch[1]
    lost('--help')
    lost('--version')
    for name in COMMANDS:
        if name != 'cc' or WITH_CC:
            lost(name, '--help')
    lost('info')
    lost('info', '--json')
    lost('isa')
    lost('isa', 'vadd.vv')
    lost('as', '-o', '-', vecadd)
    lost('as', '-o', tmp / 'a.o', '-l', '-', vecadd)
    lost('dis', tmp / 'a.o')
    lost(*launch, '--show', 2)
    lost(*launch, '--stats')
    lost(*launch, '--json', '--stats')
    lost(*launch, '--dump', '2=-')
    lost(*launch, '--model', 'chisel', '--hot')
    tile = tmp / 'tile.s'
    tile.write_text('.text\nnop\n')
    lost('tile', 'as', tile)
    lost('report', tmp / 'k.json')
    if WITH_CC:
        source = tmp / 'k.cl'
        for emit in 'bc', 'll', 'ir', 's', 'o', 'elf':
            lost('cc', '--emit', emit, '-o', '-', source)
        run('cc', '-o', tmp / 'k.elf', source)
        lost('exec', tmp / 'k.elf', '--grid', 1)


def writers(tmp, launch):
    """Commands that write a file, whose path is to be added."""
    options = [['--log'], ['--dump', '2='], ['--model', 'chisel', '--issues'],
               ['--model', 'chisel', '--trace'],
               ['--model', 'chisel', '--konata'],
               ['--model', 'chisel', '--events'],
               ['--model', 'chisel', '--report']]
    commands = [launch + option for option in options]
    commands += [['as', launch[1], '-o'], ['as', launch[1], '-l'],
                 ['dis', tmp / 'a.o', '-o'], ['report', tmp / 'k.json', '-o'],
                 ['link', tmp / 'a.o', '-o']]
    if WITH_CC:
        commands.append(['cc', tmp / 'k.cl', '-o'])
        commands.append(['cc', tmp / 'k.cl', '-o', tmp / 'k.out', '--depfile'])
    commands.append(launch + ['--check', '--sarif'])
    commands.append(launch + ['--check', '--check-json'])
    return commands


def with_path(command, path):
    joined = str(command[-1]).endswith('=')
    return command[:-1] + [f'{command[-1]}{path}'] if joined else \
        command + [path]


def files(tmp, launch):
    """Files that are named: on a full disk, and where nothing can be made."""
    for command in writers(tmp, launch):
        for path in '/dev/full', tmp / 'none/file':
            args = with_path(command, path)
            done = run(*args, cwd=tmp)
            expect(1, str(path), done, args)
            expect(1, FULL if path == '/dev/full' else 'No such file', done, args)


def given_twice(tmp, launch):
    """The last file alone was written."""
    for option in ['--log'], ['--trace'], ['--konata'], ['--events'], ['--report'], \
            ['--issues'], ['--log-dir'], ['--sarif'], ['--check-json'], ['--record']:
        one, two = tmp / 'one', tmp / 'two'
        args = launch + ['--model', 'chisel', *option, one, *option, two]
        said = f"exec: {option[0]}: expected one file, found '{one}' and '{two}'"
        expect(2, said, run(*args), args)
        if one.exists() or two.exists():
            failures.append(f'{args}: a file was written')
    args = ['run', '--json', tmp / 'one', '--json', tmp / 'one', '--', 'true']
    expect(2, 'run: --json: expected one file', run(*args), args)


def windows(tmp, launch):
    """A file without an event, and nothing was said."""
    for option in '--trace', '--konata', '--events':
        args = launch + ['--model', 'chisel', option, tmp / 'window', '--trace-cycles']
        said = f'ventus: note: the file of {option} has no event: '
        done = run(*args, '100000:')
        expect(0, said, done, args)
        longest = int(done.stderr.rsplit('took ', 1)[1].split()[0])
        expect(0, said, run(*args, f'{longest + 1}:'), args)
        done = run(*args, f'{longest - 1}:')
        if done.returncode or done.stderr:
            failures.append(f'{args} {longest - 1}: {done.stderr}')


def buffers(tmp, launch):
    """A file without bytes, and bytes that are no whole word of --show."""
    (tmp / 'empty').write_bytes(b'')
    args = launch + ['--arg', f'buf:{tmp / "empty"}']
    expect(1, 'expected a file of 1 byte at least, found none', run(*args), args)
    for data, kind, shown in (('010000000200000003000000', 'u64',
                               '    0: 8589934593  and the bytes 03000000'),
                              ('01000000020000', 'u32', '    0: 1  and the bytes 020000'),
                              ('0100000002000000', 'u32', '    0: 1 2')):
        (tmp / 'data').write_bytes(bytes.fromhex(data))
        args = ['exec', tmp / 'none.s', 'none', '--grid', '1', '--arg', f'buf:{tmp / "data"}',
                '--show', f'0:{kind}']
        (tmp / 'none.s').write_text('.globl none\nnone: ret\n')
        done = run(*args, stdout=subprocess.PIPE)
        if done.stdout != shown + '\n':
            failures.append(f'{args}: {done}, expected {shown}')


def cut_events(tmp, launch):
    """Taken for whole ones, where the cut left a line that can be read."""
    events, cut = tmp / 'whole.events', tmp / 'cut.events'
    run(*launch, '--model', 'chisel', '--events', events)
    text = events.read_text(encoding='utf-8')
    expect(0, '', run('compare', events, events), ['compare'])
    last = text.rstrip('\n').rindex('\n') + 1
    for end in range(last + 1, len(text)):  # of the last line
        cut.write_text(text[:end], encoding='utf-8')
        done = run('compare', cut, events)
        if 'cut.events:' not in done.stderr or \
                (done.returncode == 0 and 'cut in the middle of a line' not in done.stderr):
            failures.append(f'compare {text[last:end]!r}: {done}')


def kinds(launch):
    """Kinds were offered that exec refuses."""
    args = launch + ['--check=leek']
    expect(2, 'expected memory, init, race, sync, scalar, arith or all, separated by commas, '
           "found 'leek'\n", run(*args), args)


def command_lines():
    for name in COMMANDS:
        if name != 'cc' or WITH_CC:
            expect(2, '', run(name, '--no-such-option'),
                   [name, '--no-such-option'])
    expect(2, 'unknown command', run('nothing'), ['nothing'])


def programs(tmp):
    """`ventus run`: refused before the program starts, or status 1."""
    started = tmp / 'started'
    touch = ['--', 'touch', started]
    for option in ['--json', tmp / 'none/x'], ['--json', tmp], \
            ['--model', 'chisel', '--report', tmp / 'none/x'], \
            ['--model', 'chisel', '--trace', tmp / 'none/x'], \
            ['--model', 'chisel', '--events', tmp / 'none/x'], \
            ['--device', ''], ['--device', ','], ['--model', ''], \
            ['--device', 'nothing'], ['--device', 'default:num_thraed=4']:
        expect(1, 'run: ', run('run', *option, *touch), ['run', *option])
    for option in ['--time-limit', 'long'], ['--threads', '0'], ['--jsno']:
        expect(2, '', run('run', *option, *touch), ['run', *option])
    if started.exists():
        failures.append('run: the program was started')
    if PROGRAM:
        for option in ['--json'], ['--model', 'chisel', '--report'], \
                ['--model', 'chisel', '--trace'], \
                ['--model', 'chisel', '--events']:
            args = ['run', *option, '/dev/full', '--', PROGRAM]
            expect(1, 'ventus: ', run(*args), args)
        for option in ['--log'], ['--model', 'chisel', '--trace'], \
                ['--model', 'chisel', '--konata'], ['--model', 'chisel', '--events']:
            args = ['run', *option, '/dev/full', '--', PROGRAM]
            expect(1, f'/dev/full: {"the log is not complete" if len(option) == 1 else "cannot write"}'
                   f': {FULL}', run(*args), args)
        # All launches are in one file, which compares with itself.
        events = tmp / 'run.events'
        args = ['run', '--model', 'chisel', '--events', events, '--', PROGRAM]
        expect(0, '', run(*args), args)
        text = events.read_text() if events.exists() else ''
        if not text.count('\nK ') or text.count('\nK ') != text.count(' F '):
            failures.append(f'run --events: {text[:80]!r}')
        args = ['compare', '--exact', events, events]
        expect(0, '', run(*args), args)


def main():
    os.environ['VENTUS_CACHE'] = '0'
    with tempfile.TemporaryDirectory() as folder:
        tmp = Path(folder)
        launch = prepare(tmp)
        printed(tmp, launch)
        files(tmp, launch)
        given_twice(tmp, launch)
        windows(tmp, launch)
        buffers(tmp, launch)
        cut_events(tmp, launch)
        kinds(launch)
        command_lines()
        programs(tmp)
    print('\n'.join(failures + [f'{len(failures)} failed']))
    return failures != []


if __name__ == '__main__':
    sys.exit(main())
