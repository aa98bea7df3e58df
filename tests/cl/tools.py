#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ventus run, with clinfo and with a program of ours.

usage: tools.py VENTUS sanitized|plain [PROGRAM TWO]

PROGRAM is test_cl_kernel, TWO is test_cl_devices, which uses two devices.
Programs that are not ours cannot load a sanitized library.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS = sys.argv[1]
failures = 0


def check(condition, what):
    global failures
    if not condition:
        print(f'failed: {what}')
        failures += 1


def run(*args):
    env = {k: v for k, v in os.environ.items() if not k.startswith('VENTUS_')
           or k == 'VENTUS_CACHE_DIR'}
    return subprocess.run([VENTUS, 'run', *args], capture_output=True,
                          text=True, env=env)


def check_clinfo():
    if not shutil.which('clinfo'):
        print('no clinfo: not tried')
        return
    r = run('--', 'clinfo')
    out = r.stdout + r.stderr
    check(r.returncode == 0, 'clinfo: exit status')
    errors = [line for line in out.splitlines()
              if re.search(r'error (-\d|:)|: error', line)]
    check(not errors, f'clinfo: {errors}')
    check('Number of platforms                               1' in out,
          'clinfo: one platform')
    check(re.search(r'Device Type +GPU$', out, re.M), 'clinfo: a GPU')
    r = run('--device', 'default,default:num_thread=8', '--', 'clinfo', '-l')
    check('Device #1: Ventus default:num_thread=8' in r.stdout,
          f'clinfo -l: {r.stdout}')
    r = run('--device', 'nothing-like-it', '--', 'clinfo', '-l')
    check("device 'nothing-like-it'" in r.stderr, 'unknown preset')
    host = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE')
    if host >> 30 >= 128:
        return  # as much as a device may have
    more = (host >> 30) + 1
    r = run('--device', f'ventus2:memory_size={more}G', '--', 'clinfo', '-l')
    check("device 'ventus2': memory_size: expected "
          f'{host} at most, the memory of the host, found {more << 30}'
          in r.stderr, f'memory that the host has not: {r.stderr}')
    check('Device' not in r.stdout, f'clinfo -l: {r.stdout}')


def check_stats(program):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'stats.json'
        r = run('--stats', '--json', str(path), '--log-api', '--', program,
                'all_kinds_of_arguments')
        check(r.returncode == 0, f'program: {r.stdout}')
        rows = json.loads(path.read_text(encoding='utf-8'))['kernels']
    check([k['name'] for k in rows] == ['values'], 'one kernel')
    check(rows[0]['launches'] == 2 and rows[0]['work_items'] == 2 * 96,
          f'counts: {rows[0]}')
    check(0 < rows[0]['simt_efficiency'] <= 1, 'SIMT efficiency')
    check(re.search(r'^kernel +launches', r.stderr, re.M), 'a table')
    check(rows[0]['spills'] == 0 and rows[0]['cycles'] == 0, 'no cycles')
    check('clEnqueueNDRangeKernel(command_queue=' in r.stderr, 'a log')
    warned = run('--log-api', '--', program, 'vectors_of_three').stderr
    check("warning: argument 'v' is a float3 of 16 bytes, and 12 are given"
          in warned, warned)
    check('global_work_size={96}' in r.stderr, 'sizes in the log')
    check(') = CL_INVALID_KERNEL_ARGS: argument ' in r.stderr,
          'the reason of a refusal')


def check_model(program):
    """Profiling events: cycles at the clock; so half the clock, twice the
    time."""
    cycles, times = [], []
    for clock in ('400', '200'):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'stats.json'
            r = run('--model', f'lanes8:clock_mhz={clock}', '--stats', '--json',
                    str(path), '--', program, 'timed')
            check(r.returncode == 0, f'model: {r.stdout} {r.stderr}')
            rows = json.loads(path.read_text(encoding='utf-8'))['kernels']
        cycles.append(rows[0]['cycles'])
        check(rows[0]['clock_mhz'] == int(clock), f'clock: {rows[0]}')
        found = re.search(r'(\d+) ns, (\d+) MHz', r.stdout)
        check(found and found[2] == clock, f'model: {r.stdout}')
        times.append(int(found[1]) if found else 0)
        check(re.search(r'^kernel .* cycles$', r.stderr, re.M), 'cycles')
    check(0 < cycles[0] == cycles[1], f'cycles: {cycles}')
    check(times == [cycles[0] * 1000 // 400, cycles[0] * 1000 // 200],
          f'device time: {times} of {cycles}')


def check_two(program):
    """Of ten launches on each of two devices, the second of which is last."""
    def row(*devices):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'stats.json'
            r = run('--device', ','.join(devices), '--json', str(path), '--',
                    program, 'data_goes_to_and_fro')
            check(r.returncode == 0, f'two devices: {r.stdout} {r.stderr}')
            return json.loads(path.read_text(encoding='utf-8'))['kernels'][0]
    model = 'lanes8:engine=model:num_sm={}:clock_mhz={}'
    one = row(model.format(1, 300), 'lanes8')
    check(one['launches'] == 20 and one['clock_mhz'] == 300 and
          one['cycles'] > 0, f'one of two counts: {one}')
    check(2 * one['counters']['issued'] == one['warp_instructions'],
          f'counters of one: {one}')
    both = row(model.format(1, 300), model.format(2, 200))
    check(both['counters']['issued'] == both['warp_instructions'] ==
          one['warp_instructions'], f'counters of both: {both}')
    # SMs are of one device; the clock is that of the last launch.
    check([sm['issued'] for sm in both['sms']] ==
          [sm['issued'] for sm in one['sms']] == [one['counters']['issued']],
          f'SMs of the first: {both}')
    check(both['clock_mhz'] == 200, f'clock: {both}')
    alike = row(model.format(1, 300), model.format(1, 300))
    check([sm['issued'] for sm in alike['sms']] ==
          [2 * one['counters']['issued']], f'SMs of both: {alike}')


def check_parts(program):
    """Traces of a part of a run: a kernel, cycles, an SM."""
    def traced(*options, kind='--konata'):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / 'trace'
            r = run('--model', 'lanes8', '--set', 'num_sm=2', kind, str(path),
                    *options, '--', program, 'timed')
            check(r.returncode == 0, f'traced: {r.stdout} {r.stderr}')
            return path.read_text(encoding='utf-8')

    def issues(text):
        return [line.split() for line in text.splitlines()
                if line.split()[1:2] == ['I']]
    check(traced().startswith('Kanata'), 'a file for Konata')
    none = traced('--trace-kernel', 'another')
    check(none.startswith('Kanata') and '\nI\t' not in none,
          'a kernel that is not run')
    everything = issues(traced(kind='--events'))
    for sm in '0', '1':
        check(issues(traced('--trace-sm', sm, kind='--events')) ==
              [i for i in everything if i[2] == sm], f'SM {sm}')
    first = int(everything[0][0])
    check(issues(traced('--trace-cycles', f'{first}:{first + 50}',
                        kind='--events')) ==
          [i for i in everything if int(i[0]) <= first + 50], 'cycles')
    for words, options in (
            ("expected FROM:TO", ['--trace-cycles', '5:3', '--trace', 'x']),
            ('expected the number', ['--trace-sm', 'all', '--trace', 'x']),
            ('need --trace', ['--trace-sm', '1']),
            ('expected KEY=VALUE', ['--set', 'num_sm']),
            ("did you mean 'num_sm'?", ['--set', 'nun_sm=1'])):
        r = run('--model', 'lanes8', *options, '--', program, 'timed')
        check(r.returncode and words in r.stderr, f'{options}: {r.stderr}')


def check_refusals():
    check(run('--', '/nowhere/program').returncode == 1, 'no program')
    check(run().returncode == 2, 'nothing to run')
    check(run('--no-such-option').returncode == 2, 'an unknown option')
    check(run('--', 'sh', '-c', 'exit 7').returncode == 7, 'exit status')


if sys.argv[2] == 'plain':
    check_clinfo()
check_refusals()
if len(sys.argv) > 3:
    check_stats(sys.argv[3])
    check_model(sys.argv[3])
    check_parts(sys.argv[3])
    check_two(sys.argv[4])
print(f'{failures} failures')
sys.exit(failures != 0)
