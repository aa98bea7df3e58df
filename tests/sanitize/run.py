#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels with a mistake each under `ventus run --check`, and some without.

    run.py VENTUS HOST KERNELS CALLS

A finding is wanted at the line whose comment names it; the comments were written
by hand.  Others may follow from the same mistake: a race leaves values that nothing
wrote.  A kernel without a mistake has no finding."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, HOST, KERNELS = sys.argv[1], sys.argv[2], Path(sys.argv[3])
CALLS = sys.argv[4] if len(sys.argv) > 4 else None

# Kernel, global size, local size, arguments, what the report has to say.
MISTAKES = [
    ('global_bounds', 65, 1, ['out:64', 'int:3'],
     ["'out'", 'work-item (64,0,0)', '256 bytes', 'created by the 1st '
      'clCreateBuffer, in ', ' of sanitize_host\n']),
    ('global_bounds_byte', 64, 64, ['out:64'], ["'out'"]),
    ('part_bounds', 64, 64, ['part:64'],
     ["'out'", 'work-item (63,0,0)', 'made 1 time', '256 bytes, which begins at '
      'byte 256 of a buffer of 768 bytes', '0 bytes past the end']),
    ('part_bounds_scalar', 32, 32, ['part:64', 'out:64'],
     ['4 bytes before the start', 'made 1 time']),
    ('part_bounds_atomic', 64, 64, ['part:64'], ['made 1 time']),
    ('local_bounds', 64, 64, ['out:64'], ['work-item (63,0,0)']),
    ('private_bounds', 64, 64, ['out:64', 'int:1048576'], ['private']),
    ('uninitialised', 64, 64, ['out:64', 'out:64'], []),
    ('uninitialised_branch', 64, 64, ['out:64', 'out:64'], []),
    ('uninitialised_counter', 64, 64, ['out:64'], []),
    ('uninitialised_local', 64, 64, ['out:64'], ['work-item (58,0,0)']),
    ('race_local', 64, 64, ['out:64'], ['local', 'write by']),
    ('race_global', 64, 64, ['in:64'], ["'sum'"]),
    ('race_groups', 128, 64, ['in:64', 'out:128'], ["'flag'"]),
    ('race_before_atomic', 4, 1, ['in:1'], ["'sum'"]),
    ('inlined_bounds', 64, 64, ['out:64'],
     ['in put(), inlined at input.cl:', 'put(to, i + 64, 2);',
      'in put_both(), inlined at input.cl:', 'put_both(out, get_global_id']),
    ('race_beside_collective', 64, 64, ['out:64'], ['local']),
    ('missing_barrier', 64, 64, ['out:64'], ['local']),
    ('divergent_barrier', 64, 64, ['out:64'], []),
    ('barrier_by_warp', 64, 64, ['out:64'], []),
    ('misaligned', 64, 64, ['in:65', 'out:64'], ["'in'"]),
    ('null_pointer', 64, 64, ['null', 'out:64'], ["null"]),
    ('reads_only', 64, 64, ['read:64', 'out:64'], ["'in'"]),
    ('writes_only', 64, 64, ['write:64', 'out:64'], ["'out'"]),
    ('counts_in_write_only', 64, 64, ['write:64'],
     ["'out'", 'which is write only', '64 permission in kernel']),
    ('endless', 64, 64, ['in:64', 'int:7'], ["'out'", 'loop that can never']),
    ('no_way_out', 64, 64, ['in:64'], ['no way leads from here']),
    ('lock_of_warp', 64, 32, ['in:1', 'in:1'],
     ['taken by work-item (0,0,0)', "'lock'"]),
    ('flag_of_warp', 32, 32, ['in:1'], ['there waits work-item (0,0,0)']),
    ('endless_before_barrier', 64, 64, ['in:64', 'int:7'],
     ['it waits at a barrier for this warp']),
    ('member_unwritten', 64, 64, ['out:512', 'in:64'], []),
    ('array_in_struct', 4, 4, ['in:4'], ['work-item (2,0,0)', 'made 2 times']),
    ('array_in_local', 64, 64, ['out:64'], ['work-item (63,0,0)']),
    ('array_in_buffer', 6, 6, ['in:8'], ['work-item (4,0,0)', 'made 2 times']),
    ('image_written_outside', 64, 64, ['image:8'], ['work-item (8,0,0)']),
    ('image_read_outside', 64, 64, ['image:64', 'out:64'],
     ['work-item (63,0,0)', 'made 1 time']),
    ('image_sampled_outside', 64, 64, ['image:64', 'out:64'],
     ['work-item (63,0,0)', 'made 1 time']),
    ('scope_of_group', 128, 64, ['in:1', 'in:1', 'out:1'], ["'data'"]),
    ('fence_of_local', 128, 64, ['in:1', 'in:1', 'out:1'], ["'data'"]),
    ('misaligned_vector', 8, 8, ['in:64', 'out:64'],
     ['work-item (0,0,0)', 'made 8 times', 'not aligned to its size']),
    ('divides_by_zero', 8, 8, ['in:64', 'out:64'],
     ['work-item (0,0,0)', '1 division-by-zero in kernel']),
    ('misaligned_double', 8, 8, ['in:64', 'out:64'],
     ['work-item (1,0,0)', 'made 4 times']),
    ('divergent_sub_group', 64, 64, ['in:64', 'out:64'], []),
    ('refused', 64, 64, ['read:64', 'out:64'], ["'in'"]),
    ('atomic_in_next_array', 64, 64, ['out:64', 'int:1'],
     ['made 3 times', 'made of one to another variable']),
    ('vector_in_next_array', 16, 16, ['out:64'], ['work-item (3,0,0)']),
    ('pointer_in_next_private_array', 64, 64, ['out:64', 'int:8'],
     ['made 64 times']),
    ('in_next_local_argument', 64, 64, ['local:64', 'local:64', 'out:64'],
     ['work-item (63,0,0)', "argument 1 'b'"]),
    ('in_other_buffer', 64, 64, ['in:64', 'in:64', 'int:2048'],
     ['made 64 times', 'made of one to another argument']),
    ('local_atomic_and_plain', 64, 64, ['out:64'], []),
    ('barrier_of_nothing', 64, 64, ['out:64'], ['its flags are 0']),
    ('sub_group_barrier_of_local', 32, 32, ['in:64', 'out:64'], []),
    ('read_by_writers_first', 128, 64, ['in:64', 'out:128'], []),
    ('written_after_own_read', 64, 64, ['out:64'], []),
    ('lock_of_another', 64, 64, ['out:64'], []),
    ('fences_of_others', 64, 64, ['out:64'], []),
]
RIGHT = [
    ('bounds', 128, 64, ['out:100', 'int:100']),
    ('parts', 64, 64, ['part:64', 'beside:64']),
    ('parts', 64, 64, ['part:64', 'whole']),
    ('reduce', 256, 64, ['in:256', 'out:4']),
    ('histogram', 256, 64, ['in:256', 'in:8']),
    ('through_global', 256, 64, ['in:256']),
    ('handover', 256, 64, ['in:1', 'in:1', 'out:256']),
    ('local_handover', 64, 64, ['out:64']),
    ('bytes', 256, 64, ['out:64']),
    ('private_array', 64, 64, ['out:64']),
    ('unused', 64, 64, ['out:64', 'out:64']),
    ('widened', 64, 64, ['in:64', 'out:16']),
    ('collectives', 128, 64, ['out:128']),
    ('collectives', 80, 40, ['out:80']),
    ('pages', 64, 64, ['out:64']),
    ('lock_in_branch', 128, 64, ['in:1', 'in:1']),
    ('lock_behind_loop', 128, 64, ['in:1', 'in:1']),
    ('flag_in_branch', 64, 64, ['in:1']),
    ('chain_of_groups', 128, 32, ['in:1']),
    ('padding', 64, 64, ['out:768']),
    ('padding_by_local', 64, 64, ['out:768', 'local:768']),
    ('array_ends', 64, 64, ['in:65', 'out:64']),
    ('image_inside', 64, 64, ['image:8', 'out:64']),
    ('handed_on', 128, 64, ['in:1', 'in:1', 'out:1']),
    ('scope_of_each', 128, 64, ['in:2', 'in:2', 'out:2']),
    ('aligned', 8, 8, ['in:64', 'out:64', 'local:128']),
    ('generic_private', 64, 64, ['in:2', 'out:64']),
    ('counts_down', 256, 64, ['out:256', 'int:1500000']),
    ('stores_in_write_only', 64, 64, ['write:64']),
    ('divides', 64, 64, ['in:64', 'out:64']),
    ('relaxed_local_atomics', 64, 64, ['out:64']),
    ('lock_many_times', 2, 1, ['in:1', 'in:1', 'int:200000']),
    ('read_by_sub_group', 64, 64, ['out:64']),
    ('read_if_handed', 64, 64, ['out:64']),
    ('fences_of_all', 64, 64, ['out:64']),
]


def fail(name, what, text):
    sys.exit(f'{name}: {what}\n{text}')


def check(file, name, sizes, args, options=()):
    """(exit status, text, findings)"""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'findings.json'
        p = subprocess.run(
            [VENTUS, 'run', '--check', '--check-json', out, *options, '--',
             HOST, KERNELS / file, name, *map(str, sizes), *args],
            capture_output=True, text=True, check=False)
        if not out.exists():
            fail(name, 'no findings were written', p.stdout + p.stderr)
        found = json.loads(out.read_text(encoding='utf-8'))
        return p.returncode, p.stdout + p.stderr, found['list']


def wanted(file, name):
    """[(id, line)] of the comments in the kernel."""
    lines = (KERNELS / file).read_text(encoding='utf-8').splitlines()
    first = lines.index(next(t for t in lines if t.startswith(name + '(')))
    found = []
    for i in range(first, len(lines)):
        m = re.search(r'/\* ([a-z-]+) \*/$', lines[i])
        if m:
            found.append((m[1], i + 1))
        if lines[i] == '}':
            break
    return found


def check_mistake(name, size, local, args, words):
    status, text, found = check('mistakes.cl', name, (size, local), args)
    have = {(f['finding'], side['line']) for f in found
            for side in (f['here'], f.get('other')) if side}
    for one in wanted('mistakes.cl', name):
        if one not in have:
            fail(name, f'{one} is not in {sorted(have)}', text)
    if status != 1:
        fail(name, f'exit status {status} instead of 1', text)
    for word in words:
        if word not in text:
            fail(name, f'expected {word!r}', text)


def check_structures():
    """A plain copy of a structure is none that is atomic, optimised or not."""
    for name in ('structure_written', 'structure_read',
                 'structure_in_structure'):
        ((what, line),) = wanted('structures.cl', name)
        for level in ('-O0', '-O1', '-O2'):
            for device in ([], ['--device', 'ventus2']):
                with tempfile.TemporaryDirectory() as folder:
                    out = Path(folder) / 'findings.json'
                    p = subprocess.run(
                        [VENTUS, 'exec', KERNELS / 'structures.cl', name,
                         '--grid', '64', '--local', '64', '--arg', 'zeros:128',
                         '--arg', 'zeros:64', '--check=race', '--check-json',
                         out, level, *device],
                        capture_output=True, text=True, check=False)
                    text = out.read_text(encoding='utf-8') \
                        if out.exists() else '{"list": []}'
                have = {(f['finding'], side['line'])
                        for f in json.loads(text)['list']
                        for side in (f['here'], f.get('other')) if side}
                if (what, line) not in have:
                    fail(f'{name} {level} {device}',
                         f'{what} in line {line} is not in {sorted(have)}',
                         p.stdout + p.stderr)


def check_options():
    """Findings that cannot be written, options that have no effect."""
    program = ['--', HOST, KERNELS / 'right.cl', 'bounds', '64', '64', 'out:64',
               'int:64']
    for options, status, words in (
            (['--check', '--check-json', '/dev/full'], 1, 'No space left'),
            (['--check-json', 'a.json'], 2, 'need --check'),
            (['--check-limit', '3'], 2, 'need --check'),
            (['--check=memory,wrong'], 2, 'sync, scalar, arith, leak, api or all'),
            (['--check=memory,'], 2, "expected memory, init, race"),
            (['--check='], 2, "expected memory, init, race")):
        p = subprocess.run([VENTUS, 'run', *options, *program],
                           capture_output=True, text=True, check=False)
        if p.returncode != status or words not in p.stderr:
            fail(' '.join(options), f'exit status {p.returncode}, expected '
                 f'{status} and {words!r}', p.stderr)


def check_leaks():
    """They are findings: in the file, suppressed, and of no other exit status
    than the program's own."""
    leak = 'right.cl', 'bounds', (64, 64), ['leak:64', 'int:64']
    status, text, found = check(*leak)
    if status != 1 or 'memory object' not in text or \
            [f['finding'] for f in found] != ['leak']:
        fail('leak', 'expected a leak of a memory object', text)
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as rules:
        rules.write('leak - memory-*\n')
        rules.flush()
        status, text, found = check(*leak, ['--suppress', rules.name])
    if status or 'never released' in text or not found[0]['suppressed']:
        fail('leak', f'exit status {status}, expected a suppressed leak', text)
    status, text, found = check('right.cl', 'counts_down', (64, 64),
                                ['kept:64', 'int:15'],
                                ['--device', 'ventus2'])
    if status != 1 or [f['finding'] for f in found] != ['leak'] or \
            '1 allocation of shared memory, 256 bytes, never freed' not in text:
        fail('leak', 'expected a leak of shared memory', text)
    status, text, _ = check('right.cl', 'bounds', (64, 64),
                            ['leak:64', 'wrong:64'])
    if status != 2 or 'never released' not in text:
        fail('leak', f'exit status {status}, the program ends with 2', text)


def check_api():
    for arg, finding, words in (
            ('mapped:64', 'mapped-use', "runs while its argument 0 'in'"),
            ('twice:64', 'map-overlap', 'bytes 4 to 12 of object 7')):
        status, text, found = check('right.cl', 'reduce', (64, 64),
                                    [arg, 'out:1'])
        if status != 1 or [f['finding'] for f in found] != [finding] or \
                words not in text:
            fail(arg, f'expected one finding, {finding}', text)
        status, text, found = check('right.cl', 'reduce', (64, 64),
                                    [arg, 'out:1'], ['--check=memory,leak'])
        if status or found:
            fail(arg, 'expected none without api', text)
    # A sub-buffer and its buffer have the same bytes.
    for arg, finding, words in (
            ('lent:64', 'mapped-use', "runs while its argument 0 'in'"),
            ('pieces:64', 'map-overlap',
             'mapped already by a part of it, and one map is for writing'),
            ('apart:64', None, '')):
        status, text, found = check('right.cl', 'reduce', (64, 64),
                                    [arg, 'out:1'], ['--check=api'])
        want = [finding] if finding else []
        if status != bool(want) or words not in text or \
                [f['finding'] for f in found] != want:
            fail(arg, f'expected {want}', text)


def check_calls():
    """A call that fails is a finding, one by which programs ask is none."""
    for mistake, call, words in (
            ('argument', 'clEnqueueNDRangeKernel', "CL_INVALID_KERNEL_ARGS: "
             "argument 0 'out' of kernel 'one' is not set"),
            ('range', 'clEnqueueReadBuffer', 'CL_INVALID_VALUE: 64 bytes from'),
            ('size', 'clSetKernelArg', 'CL_INVALID_ARG_SIZE: arg_size is 2'),
            ('name', 'clCreateKernel', 'CL_INVALID_KERNEL_NAME'),
            ('twice', 'clReleaseMemObject', 'CL_INVALID_MEM_OBJECT'),
            ('questions', None, '')):
        p = subprocess.run([VENTUS, 'run', '--check', '--', CALLS, mistake],
                           capture_output=True, text=True, check=False)
        made = re.findall(r'^ventus: failed-call: (\w+) returns (.*), in '
                          r'\w+ \(calls\.c:\d+\)', p.stderr, re.M)
        if not call and not made and p.returncode == 0:
            continue
        if len(made) != 1 or made[0][0] != call or p.returncode != 1 or \
                words not in made[0][1]:
            fail(mistake, f'status {p.returncode}, expected {call}: {words}',
                 p.stdout + p.stderr)


def run_sarif(file, name, sizes, args, options=()):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / 'findings.sarif'
        p = subprocess.run(
            [VENTUS, 'run', '--check', '--sarif', out, *options, '--', HOST,
             KERNELS / file, name, *map(str, sizes), *args],
            capture_output=True, text=True, check=False)
        if not out.exists():
            fail(name, 'no SARIF was written', p.stderr)
        return json.loads(out.read_text(encoding='utf-8'))


def check_place(location, name):
    """What the specification requires of a location."""
    place = location['physicalLocation']
    uri, region = place['artifactLocation']['uri'], place['region']
    if not uri or ' ' in uri or region['startLine'] < 1 or \
            not region['snippet']['text']:
        fail(name, 'a location is wrong', json.dumps(location))


def check_result(result, rules, name):
    """Members that SARIF 2.1.0, section 3.27, has, with their types."""
    known = {'ruleId': str, 'ruleIndex': int, 'level': str, 'message': dict,
             'occurrenceCount': int, 'locations': list,
             'relatedLocations': list, 'stacks': list, 'suppressions': list}
    for key, value in result.items():
        if not isinstance(value, known[key]):
            fail(name, f'{key} is wrong', json.dumps(result))
    if rules[result['ruleIndex']]['id'] != result['ruleId'] or \
            result['level'] != 'error' or not result['message']['text'] or \
            result['occurrenceCount'] < 1:
        fail(name, 'a result is wrong', json.dumps(result))


def check_sarif():
    with tempfile.NamedTemporaryFile('w', suffix='.txt') as rules:
        rules.write('leak - *\n')
        rules.flush()
        found = [run_sarif('mistakes.cl', 'race_local', (64, 64), ['out:64']),
                 run_sarif('mistakes.cl', 'inlined_bounds', (64, 64),
                           ['out:64']),
                 run_sarif('right.cl', 'bounds', (64, 64), ['leak:64', 'int:64'],
                           ['--suppress', rules.name])]
    results = []
    for log in found:
        if log['version'] != '2.1.0' or len(log['runs']) != 1:
            fail('sarif', 'not a log of one run', json.dumps(log))
        driver = log['runs'][0]['tool']['driver']
        if driver['name'] != 'ventus':
            fail('sarif', 'the driver is wrong', json.dumps(driver))
        for result in log['runs'][0]['results']:
            check_result(result, driver['rules'], result['ruleId'])
            results.append(result)
    inlined, leak = results[-2:]
    race = next(r for r in results if r['ruleId'] == 'race')
    sides = race['locations'] + race['relatedLocations']
    for side in sides:
        check_place(side, 'race')
    lines = [s['physicalLocation']['region']['startLine'] for s in sides]
    (_, line), = wanted('mistakes.cl', 'race_local')
    if sorted(lines) != [line - 1, line]:
        fail('race', 'not between the two lines', json.dumps(race))
    frames = inlined['stacks'][0]['frames']
    for frame in frames:
        check_place(frame['location'], 'inlined')
    if [f['location']['message']['text'] for f in frames] != \
            ['put', 'put_both', 'inlined_bounds']:
        fail('sarif', 'the stack is wrong', json.dumps(frames))
    if leak['ruleId'] != 'leak' or \
            leak['suppressions'] != [{'kind': 'external'}]:
        fail('sarif', 'the leak is not suppressed', json.dumps(leak))


def check_unchanged():
    """Kinds without `memory` change no results: what the machine refuses is a fault,
    and what only the flags of a buffer forbid is done."""
    for kinds in ('race', 'init', 'sync', 'race,init,sync', 'leak'):
        for name, fault in (('reads_write_only', False), ('reads_far', True)):
            _, text, found = check('right.cl', name, (64, 64),
                                   ['write:64', 'out:64'],
                                   [f'--check={kinds}'])
            if ('access to unmapped memory' in text) != fault or \
                    'permission' in text or \
                    any(f['finding'] == 'race' for f in found):
                fail(name, f'with --check={kinds}: a fault is '
                     f'{"" if fault else "not "}expected', text)


def check_refused():
    _, text, found = check('mistakes.cl', 'refused', (64, 64),
                           ['read:64', 'out:64'])
    if [f['finding'] for f in found] != ['permission']:
        fail('refused', 'expected one finding, permission', text)


def check_shared():
    """What a launch left in shared memory the host overwrites before the next."""
    _, text, found = check('mistakes.cl', 'shared_written', (64, 64),
                           ['svm:64', 'out:64'], ['--device', 'ventus2'])
    (_, line), = wanted('mistakes.cl', 'shared_written')
    if [(f['finding'], f['here']['line']) for f in found] != \
            [('uninitialised-output', line)] or 'in 2 launches' not in text:
        fail('shared_written', f'expected one finding, in line {line}', text)


def main():
    for mistake in MISTAKES:
        check_mistake(*mistake)
    for name, size, local, args in RIGHT:
        status, text, found = check('right.cl', name, (size, local), args)
        if status or found:
            fail(name, f'exit status {status}, {len(found)} findings', text)
        status, text, found = check('right.cl', name, (size, local), args,
                                    ['--device', 'ventus2'])
        if status or found:
            fail(name, f'{len(found)} findings on version 2', text)
    check_unchanged()
    check_leaks()
    check_sarif()
    check_api()
    check_calls()
    check_structures()
    check_options()
    check_refused()
    check_shared()
    print(f'{len(MISTAKES)} mistakes named, {len(RIGHT)} kernels without')


if __name__ == '__main__':
    main()
