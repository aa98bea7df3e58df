#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the cycle-level machine tells: every figure, of the machine and of each
SM, and what must hold between them.

usage: tells.py VENTUS FILE.s
"""
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '../sim'))
from run import Test  # pylint: disable=wrong-import-position

CAUSES = ['issued', 'no_warp', 'fetch', 'branch', 'operand_collector',
          'memory', 'result', 'barrier', 'not_chosen']
UNITS = ['salu', 'valu', 'mul', 'fpu', 'sfu', 'tensor', 'lsu', 'csr', 'simt',
         'warp']
COUNTERS = CAUSES + ['unit_' + u for u in UNITS] + [
    'slots', 'warp_cycles', 'workgroups', 'vector_issued', 'vector_lanes',
    'icache_hits', 'icache_misses', 'read_hits', 'read_misses', 'write_hits',
    'write_misses', 'mshr_full', 'cache_flushes', 'refetches', 'lsu_instructions',
    'lsu_requests', 'bank_conflicts', 'crossbar_waits', 'local_requests', 'local_conflicts',
    'l2_gets', 'l2_puts', 'l2_hits', 'l2_walks', 'fetch_tlb_hits', 'fetch_tlb_misses', 'memory_reads', 'memory_writes',
    'memory_B', 'memory_busy', 'tlb_hits', 'tlb_misses', 'l2_tlb_hits',
    'l2_tlb_misses', 'page_walks', 'row_hits', 'row_misses', 'dram_bus_busy']
# What SMs share is counted for the machine only.
SHARED = {'memory_reads', 'memory_writes', 'memory_B', 'memory_busy',
          'l2_tlb_hits', 'l2_tlb_misses', 'page_walks', 'row_hits',
          'row_misses', 'dram_bus_busy'}
WORDS = ['cycles', 'instructions a cycle', 'resident warp-cycles',
         'of the places', 'issue slots', *CAUSES, 'L1I', 'L1D loads',
         'L1D stores', 'L2 requests', 'TLBs of SMs', 'TLBs of fetches', 'TLB of the L2',
         'DRAM rows', 'memory reads', 'memory bytes', 'GB/s',
         'for each load or store', 'cycles with MSHRs full',
         'register bank conflicts', 'local memory requests', 'SM   workgroups',
         'SIMT efficiency']
SMS, WARPS, LINE_B, MHZ = 3, 8, 128, 250


def run(ventus, path, *options):
    test = Test(path, 8)
    with tempfile.TemporaryDirectory() as folder:
        command = test.command(ventus, folder) + [
            '--model', 'chisel', '--coherence', 'none', '--set', f'num_sm={SMS}', '--set',
            'tlb_entries=2', '--set', 'memory=dram', '--set',
            'fetch_tlb_entries=1', '--set',
            f'clock_mhz={MHZ}', *options]
        return subprocess.run(command, capture_output=True, text=True,
                              check=True).stdout


def refused(ventus):
    """The presets that it does not run with, as they are.  On those of the
    Verilog port partial warps run all lanes, which read the padding of the buffers."""
    listed = subprocess.run([ventus, 'info'], capture_output=True, text=True,
                            check=True).stdout
    here = os.path.dirname(os.path.abspath(__file__))
    presets = [w.strip() for w in listed.splitlines() if w.startswith('  ')]
    bad = []
    for preset in presets:
        path = os.path.join(here, 'vecadd_v2.s' if preset.endswith('2') else
                            '../../examples/vecadd.s')
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                Test(path, 8).command(ventus, folder) +
                ['--model', preset], capture_output=True, text=True, check=False)
        bad += [f'{preset}: {done.stderr}'] if done.returncode else []
    return bad if presets else ['no presets']


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-5)


def check(r):
    """Names of what does not hold."""
    c, sms, rates, cycles = r['counters'], r['sms'], r['rates'], r['cycles']
    holds = {
        'every counter': all(n in c for n in COUNTERS),
        'an entry for each SM': len(sms) == SMS,
        'counters of SMs': all(set(s) == set(c) for s in sms),
        'sums of SMs': all(sum(s[n] for s in sms) == c[n] for n in COUNTERS
                           if n not in SHARED),
        'causes sum to slots': sum(c[n] for n in CAUSES) == c['slots'],
        'and in each SM': all(sum(s[n] for n in CAUSES) == s['slots']
                              for s in sms),
        'slots': c['slots'] == 2 * SMS * cycles,
        'units sum to issues':
            sum(c['unit_' + u] for u in UNITS) == c['issued'],
        'issues': c['issued'] == r['stats']['warp_instructions'],
        'lines': c['memory_B'] == LINE_B * (c['memory_reads'] +
                                            c['memory_writes']),
        'rows': c['row_hits'] + c['row_misses'] == c['memory_reads'] +
                c['memory_writes'],
        'ipc': close(rates['ipc'], c['issued'] / cycles),
        'occupancy': close(rates['occupancy'],
                           c['warp_cycles'] / (SMS * WARPS * cycles)),
        'coalescing': close(rates['requests_per_access'],
                            c['lsu_requests'] / c['lsu_instructions']),
        'lanes': close(rates['lanes_per_vector'],
                       c['vector_lanes'] / c['vector_issued']),
        'bandwidth': close(rates['memory_B_per_cycle'],
                           c['memory_B'] / cycles),
        'GB': close(rates['memory_GB_per_s'],
                    c['memory_B'] / cycles * MHZ / 1000),
        'hits of the L2': c['l2_hits'] > 0 and c['tlb_misses'] > 0,
    }
    return [name for name, ok in holds.items() if not ok]


def check_issues(ventus, path, r):
    """--issues has a line for each, of the SM and in the cycles that it says."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, 'issues')
        run(ventus, path, '--issues', file)
        with open(file, encoding='ascii') as f:
            head, *lines = f.read().splitlines()
    issues = [line.split() for line in lines]
    of_sm = [sum(1 for i in issues if int(i[2]) == sm) for sm in range(SMS)]
    holds = {
        'kernel': head == 'K ' + r['name'],
        'of each SM': of_sm == [s['issued'] for s in r['sms']],
        'in time': all(i[0] == 'I' and 0 < int(i[1]) < r['cycles'] and
                       int(i[3]) < WARPS for i in issues),
    }
    return ['--issues: ' + name for name, ok in holds.items() if not ok]


def main():
    ventus, path = sys.argv[1:]
    result = json.loads(run(ventus, path, '--stats', '--json'))
    wrong = check(result) + check_issues(ventus, path, result)
    text = run(ventus, path, '--stats')
    wrong += [f'{w!r} in the table' for w in WORDS if w not in text]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)),
                           '../../docs/reference/counters.md'), encoding='utf-8') as f:
        told = f.read()
    wrong += [f'{n} in docs/reference/counters.md' for n in result['counters']
              if f'`{n}`' not in told]
    wrong += [f'runs on {p}' for p in refused(ventus)]
    print('\n'.join(f'does not hold: {w}' for w in wrong) or 'all holds')
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
