# SPDX-License-Identifier: Apache-2.0
"""Circles of calls between the .c files of src/, read from compiled objects.

A file calls another if its object names a function that the other defines:
in a call, or as an address, which it stores in a table or passes on.  Constant
tables themselves are data.  Who reads `engine_sim` or `isa_meanings` calls no
file in particular, as the table is there to leave that open; only the file
with the table depends on the functions in it.

The symbols of an object do not depend on the optimisation, as no build of
this project optimises across files, nor on what a failed assertion calls.  A file that is not compiled here (without
LLVM, for example) has no calls, and a line of tests/circles.txt with such a
file is not compared.
"""
import json
import re
import subprocess
from pathlib import Path

ALLOWED = 'tests/circles.txt'
FUNCTION = 'TWi'  # types of symbols that nm gives to functions
# What assert() calls: in a release build in place of the C library's function.
ASSERTION = 'guard_assertion_failed'


def compiled_objects(root, build):
    """{object: source, a path below src/}: one source has several objects, if
    it is compiled for several processors."""
    objects, sources = {}, root.resolve() / 'src'
    commands = (build / 'compile_commands.json').read_text(encoding='utf-8')
    for entry in json.loads(commands):
        source = Path(entry['file']).resolve()
        output = re.search(r' -o (\S+)', entry['command'])
        if not output or not source.is_relative_to(sources):
            continue
        path = Path(entry['directory'], output[1])
        if path.is_relative_to(build / 'src') and path.exists():
            objects[str(path)] = source.relative_to(sources).as_posix()
    return objects


def read_calls(root, build, nm='nm'):
    """{file: {file that it calls: set of functions}}; all compiled files are
    keys."""
    objects = compiled_objects(root, build)
    calls = {source: {} for source in objects.values()}
    if not objects:
        return calls
    run = subprocess.run([nm, '-A', '-g', *objects], check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True)
    if 'plugin' in run.stderr:  # objects of -flto, whose symbols are hidden
        raise SystemExit(run.stderr)
    definers, named = {}, set()
    for line in run.stdout.splitlines():
        path, symbol = line.rsplit(':', 1)
        *_, kind, name = symbol.split()
        if kind == 'U':
            named.add((objects[path], name))
        elif kind in FUNCTION and name != ASSERTION:
            definers.setdefault(name, set()).add(objects[path])
    for user, name in named:
        for definer in definers.get(name, set()) - {user}:
            calls[user].setdefault(definer, set()).add(name)
    return calls


def reached_from(start, arrows):
    """The files that are called from `start`, directly or not."""
    reached, pending = set(), [start]
    while pending:
        for file in arrows.get(pending.pop(), ()):
            if file not in reached:
                reached.add(file)
                pending.append(file)
    return reached


def find_circles(calls):
    """The largest sets of two or more files each of which calls, directly or
    not, all the others: strongly connected components."""
    callers = {}
    for user, used in calls.items():
        for file in used:
            callers.setdefault(file, set()).add(user)
    circles, seen = [], set()
    for file in sorted(calls):
        if file not in seen:
            circle = reached_from(file, calls) & reached_from(file, callers)
            seen |= circle
            if circle:
                circles.append(frozenset(circle))
    return circles


def read_allowed(root):
    """[(line, set of files, reason)] of tests/circles.txt: each line is
    `folder: file.c file.c  # reason`."""
    allowed = []
    path = root / ALLOWED
    text = path.read_text(encoding='utf-8') if path.exists() else ''
    for number, line in enumerate(text.splitlines(), 1):
        files, _, reason = line.partition('#')
        folder, _, names = files.partition(':')
        if folder:
            allowed.append((number, frozenset(f'{folder}/{name}'
                                              for name in names.split()),
                            reason.strip()))
    return allowed


def describe(circle, calls):
    """Every call that stands in the circle, one line for each two files."""
    return ''.join(f'\n    {user} calls {used}: {", ".join(sorted(functions))}'
                   for user in sorted(circle)
                   for used, functions in sorted(calls[user].items())
                   if used in circle)


def judge_line(root, number, files, reason, circles, calls):
    """What is wrong with one line of the list, or None."""
    sources = {path.relative_to(root / 'src').as_posix()
               for path in (root / 'src').rglob('*.c')}
    gone = sorted(files - sources)
    if gone:
        return f'{ALLOWED}:{number}: there is no src/{gone[0]}'
    if not reason:
        return f'{ALLOWED}:{number}: a circle without a reason'
    if files <= calls.keys() and not any(files & c for c in circles):
        return (f'{ALLOWED}:{number}: these files call each other in no '
                'circle any more: remove the line')
    return None


def judge_circles(root, calls):
    """[message]: circles that the list has no line for, lines without one."""
    circles = find_circles(calls)
    allowed = read_allowed(root)
    messages = [judge_line(root, *line, circles, calls) for line in allowed]
    for circle in circles:
        near = [(number, files) for number, files, _ in allowed
                if files & circle]
        if any(files == circle for _, files in near):
            continue
        names = ' '.join(sorted(circle))
        if not near:
            messages.append('src: files call each other in a circle: ' + names +
                            describe(circle, calls))
            continue
        number, files = near[0]
        if files - circle and not files <= calls.keys():
            continue
        messages.append(
            f'{ALLOWED}:{number}: the circle is another now: ' + ' '.join(
                [f'+{f}' for f in sorted(circle - files)] +
                [f'-{f}' for f in sorted(files - circle)]) +
            describe(circle, calls))
    return [message for message in messages if message]
