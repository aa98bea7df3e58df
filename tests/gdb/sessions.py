#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions of gdb-multiarch with kernels under `ventus exec --gdb`, forwards and
backwards.  What must be shown follows from the kernels' text, by hand.

    sessions.py VENTUS KERNELS EXAMPLES [NAME...]"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VENTUS, KERNELS, EXAMPLES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WANTED = sys.argv[4:]
PYTHON = Path(__file__).parents[2] / 'src/gdb/ventus-gdb.py'
START = ['set pagination off', 'set confirm off', 'set width 0',
         'set print thread-events off']

COUNT = ['count.s', '--grid', '64', '--local', '64', '--arg', 'zeros:64',
         '--arg', 'u32:1000', '--show', '0']
SCALE = ['scale.elf', '--grid', '64', '--local', '32', '--arg', 'zeros:64',
         '--arg', 'iota:64', '--arg', 'i32:2', '--show', '0']
CALLS = ['calls.elf', '--grid', '64', '--local', '32', '--arg', 'zeros:64',
         '--arg', 'iota:64', '--show', '0']
# buffers from 4 GiB on; `far` points 5.6e9 bytes behind 0x100200000, less gid
WIDE = ['wide.elf', '--device', 'ventus2', '--grid', '64', '--local', '32',
        '--arg', 'zeros:64', '--arg', 'zeros:1500000000', '--arg',
        'i64:1400000000', '--show', '0']
LOCAL = ['--device', 'ventus2', '--grid', '64', '--local', '32', '--arg',
         'zeros:64', '--show', '0']
CHOOSE = ['choose.elf', '--grid', '64', '--local', '32', '--arg', 'zeros:64',
          '--arg', 'iota:64', '--show', '0']
NODE = ['node.elf', '--grid', '8', '--local', '8', '--arg', 'zeros:8', '--arg',
        'iota:24', '--show', '0']
WILD = ['wild.s', '--grid', '32', '--local', '32', '--arg', 'zeros:32']
REDUCE = ['reduce.s', '--grid', '64', '--local', '64', '--arg', 'iota:64',
          '--arg', 'zeros:1', '--arg', 'local:256', '--show', '1']
DIVERGENT = ['divergent.s', '--grid', '32', '--local', '32', '--arg',
             'zeros:32', '--show', '0']


def line(name, text):
    """The line of a source that has this text, from 1."""
    for folder in KERNELS, EXAMPLES:
        if (folder / name).exists():
            lines = (folder / name).read_text().splitlines()
            return 1 + next(i for i, s in enumerate(lines) if text in s)
    raise FileNotFoundError(name)


def scaled(i):
    return sum(i * 2 + k * k for k in range(i % 4 + 1))


PRIVATE = ['private.s', '--grid', '64', '--local', '32', '--arg', 'iota:512',
           '--arg', 'zeros:512', '--show', '1']

OUT = line('scale.cl', 'out[i]')
PUT = line('local.cl', 'tile[get')
READ = line('local.cl', 'the store')
COPY = line('node.cl', 'the copy')
SUM = line('node.cl', 'the sum')
STORE = line('wide.cl', 'the store')
SWITCH = line('choose.cl', 'switch')
DEFAULT = line('choose.cl', 'the default')
MINE = line('wide.cl', '*mine')
LOOP = line('count.s', 'vlw12.v v2')
# name: (arguments of exec, commands, patterns in order, exit status)
SESSIONS = {
    'connects': (SCALE, ['info registers pc', 'p $gid_x', 'p $group', 'p $lane'],
                 ['pc +0x80000000', r'\$1 = 0', r'\$2 = 0', r'\$3 = 0'], 1),
    'breaks_at_a_kernel': (
        SCALE, ['break scale', 'continue', 'bt', 'p $gid_x'],
        # a kernel has no caller: docs/abi.md, Debug information
        [r'Breakpoint 1, .*scale \(', r'#0 .*scale.*\n\$1 = 0'], 1),
    'breaks_at_a_line': (
        COUNT, [f'break count.s:{LOOP}', 'continue', 'p $x28', 'continue 5',
                'p $x28'],
        [f'Breakpoint 1 at .*line {LOOP}', f'{LOOP}.*vlw12', r'\$1 = 0',
         r'\$2 = [0-9]'], 1),
    # work-item 2 takes no case: it stops at the switch, and then at the default
    'breaks_at_a_switch': (
        CHOOSE, [f'break choose.cl:{SWITCH} if $gid_x == 2', 'continue',
                 'p $gid_x', 'p n', 'next'],
        [f'Breakpoint 1 at .*line {SWITCH}', rf'\n{SWITCH}\s+switch',
         r'\$1 = 2', r'\$2 = 2', rf'\n{DEFAULT}\s+default'], 1),
    # the body begins in the line of the head: its statements are still to come
    'breaks_before_the_first_statement': (
        CHOOSE, ['break choose', 'continue', 'next'],
        [r'Breakpoint 1, choose', r'\n1\s+kernel void choose',
         rf'\n{SWITCH}\s+switch'], 1),
    'a_pending_breakpoint_is_set_when_the_code_is_known': (
        SCALE, ['continue', 'p $gid_x'], [r'Breakpoint 1, ', r'\$1 = 0'], 1,
        ['set breakpoint pending on', 'break scale']),
    'a_condition_chooses_the_work_item': (
        SCALE, [f'break scale.cl:{OUT} if $gid_x == 37',
                'continue', 'p $gid_x', 'p $group_x', 'p $lane', 'delete',
                'continue'],
        [r'Breakpoint 1, ', r'\$1 = 37', r'\$2 = 1', r'\$3 = 5',
         'exited normally'], 0),
    'a_condition_on_a_variable': (
        SCALE, [f'break scale.cl:{OUT} if i > 40 '
                '&& in[i] == 45', 'continue', 'p $gid_x', 'p i'],
        [r'Breakpoint 1, ', r'\$1 = 45', r'\$2 = 45'], 1),
    'calls_are_frames_with_their_variables': (
        CALLS, ['break deep if x == 37', 'continue', 'bt', 'p $gid_x', 'p y',
                'up', 'p before', 'up', 'p in[5]'],
        [r'Breakpoint 1, .*deep \(x=37, y=137\)', r'#1 .* outer \(',
         r'#2 .* calls \(.*\n\$1 = 37', r'\$2 = 137', '#1 .* outer',
         r'\$3 = 137', '#2 .* calls', r'\$4 = 5'], 1),
    'finish_shows_no_register_of_risc_v_as_result': (
        CALLS, ['break deep if x == 37', 'continue', 'finish', 'p $v0',
                'p $gid_x', 'p deep(2, 3)'],
        # a result is in v0, docs/abi.md, Functions; GDB would show a0
        ['does not follow the target calling convention', 'outer',
         r'\$1 = %d' % (37 * 137 + 5), r'\$2 = 37', 'Cannot call'], 1),
    'goes_back_into_a_call': (
        CALLS, ['tbreak outer if x == 40', 'continue', 'next', 'next',
                'p r', 'reverse-step', 'p t', 'reverse-finish', 'p before'],
        ['outer', r'\$1 = %d' % (40 * 140 + 5), r'deep \(',
         r'\$2 = (%d|<optimized out>)' % (40 * 140), 'outer',
         r'\$3 = 140'], 1),
    'a_condition_on_a_vector_register': (
        COUNT, ['tbreak count.s:%d if $v0 == 45' % line('count.s', 'vsll.vi'),
                'continue', 'p $gid_x', 'p $warp'],
        [r'Temporary breakpoint 1, ', r'\$1 = 45', r'\$2 = 1'], 1),
    'steps_instructions_of_a_work_item': (
        COUNT, ['break count', 'continue', 'stepi', 'p $pc', 'stepi', 'p $x7',
                'stepi 2', 'p $v0', 'thread 8', 'p $v0', 'p $pc'],
        ['Breakpoint 1', r'\$1 = .*<count\+4>', r'\$2 = 1000', r'\$3 = 0',
         r'\$4 = 7', r'\$5 = .*<count\+16>'], 1),
    'steps_lines': (
        COUNT, ['tbreak count', 'continue', 'next', 'next', 'p $x7', 'next',
                'next', 'p $v0'],
        ['vlw12|csrr', r'\$1 = 1000', r'\$2 = 0'], 1),
    'names_work_items': (
        SCALE, ['info threads', 'thread 12'],
        [r'Thread 3 \(item \(2,0,0\) group \(0,0,0\) warp 0 lane 2\)',
         r'Switching to thread 12'], 1),
    'keeps_other_warps_where_they_are': (
        COUNT, ['break count', 'continue', 'delete', 'set scheduler-locking on',
                f'tbreak count.s:{LOOP}', 'continue', 'monitor warps'],
        [r'\* \(0,0,0\) +0 .*loop \(\./count.s', r'  \(0,0,0\) +1 .*_start'],
        1),
    'says_that_a_locked_warp_is_blocked': (
        REDUCE, ['tbreak reduce', 'continue', 'set scheduler-locking on',
                 'continue', 'monitor barriers'],
        ['waits at a barrier, and scheduler-locking',
         r'group \(0,0,0\) warp 0 waits with 32 threads for all'], 1),
    'watches_a_write': (
        COUNT, ['tbreak count', 'continue', 'watch *(int *)0x9000000c',
                'continue', 'continue', 'p $v2', 'p *(int *)0x9000000c'],
        ['Hardware watchpoint 2', 'Old value = 0', 'New value = 1',
         'Old value = 1', 'New value = 2', r'\$1 = 2', r'\$2 = 2'], 1),
    'watches_a_read': (
        COUNT, ['tbreak count', 'continue', 'rwatch *(int *)0x90000010',
                'continue', 'p $lane', 'p $v2'],
        ['Hardware read watchpoint 2', 'Value = 0', r'\$1 = 4', r'\$2 = 0'], 1),
    'watches_local_memory': (
        REDUCE, ['tbreak reduce', 'continue', 'stepi 3', 'p/x $x8',
                 'watch -location *(int *)($x8 + 20)', 'continue', 'p $lid_x',
                 'continue', 'p $lane'],
        [r'\$1 = 0x7', 'Old value = 0', 'New value = 5', r'\$2 = 5',
         'Old value = 5', 'New value = 42', r'\$3 = 5'], 1),
    'steps_back_an_instruction': (
        COUNT, ['break count', 'continue', 'stepi 4', 'p $pc', 'p $x7',
                'reverse-stepi', 'p $pc', 'reverse-stepi 2', 'p $pc', 'p $x7',
                'stepi 3', 'p $pc', 'p $x7'],
        [r'\$1 = .*<count\+16>', r'\$2 = 1000', r'\$3 = .*<count\+12>',
         r'\$4 = .*<count\+4>', r'\$5 = 0', r'\$6 = .*<count\+16>',
         r'\$7 = 1000'], 1),
    'goes_back_with_the_thread_of_the_stop_behind_info_threads': (
        SCALE, ['break scale', 'continue', 'delete', 'next', 'next',
                'info threads', 'reverse-next', 'p $gid_x',
                'thread apply all p $lane', 'reverse-stepi', 'p $gid_x',
                'thread apply all p $lane', 'monitor lanes'],
        [r'\$1 = 0', r'\$34 = 0', r'\* 0 +1 '], 1),
    'goes_back_with_the_thread_that_is_selected': (
        COUNT, ['break count', 'continue', 'stepi 4', 'delete', 'thread 40',
                'stepi 3', 'thread 3', 'thread 40', 'reverse-stepi', 'p $warp',
                'p $pc', 'thread 3', 'reverse-stepi', 'p $warp', 'p $pc'],
        [r'\$1 = 1', r'\$2 = .*<_start\+8>', r'\$3 = 0',
         r'\$4 = .*<count\+12>'], 1),
    'goes_back_with_the_selected_thread_behind_info_threads': (
        SCALE, [f'source {PYTHON}', 'break scale', 'continue', 'delete', 'next',
                'next', 'thread 7', 'info threads', 'info lanes',
                'reverse-next', 'p $gid_x', 'thread 12',
                'thread apply all p $lane', 'reverse-stepi', 'p $gid_x'],
        [r'\* 6 +7 ', r'\$1 = 6', r'\$34 = 11'], 1),
    'wrong_arguments_of_the_commands_are_named': (
        SCALE, [f'source {PYTHON}', 'item x', 'item', 'item 1,2,3,4', 'item 1,,2',
                'launch x', 'launch', 'launch 77', 'connect-ventus x',
                'item 99', 'info lanes x', 'info image x', 'p 42'],
        ["found 'x', expected X", "found '', expected X",
         'found 4 numbers', "found '', expected X",
         "expected a launch .*found 'x'", "found ''", "found '77'", "'x', expected a port",
         r'no item \(99,0,0\)', r'\$1 = 42'], 1),
    'goes_back_to_a_breakpoint': (
        COUNT, ['break end', 'continue', 'p $x28', 'p *(int *)0x90000000',
                f'tbreak count.s:{LOOP + 1} if $x28 == 500',
                'reverse-continue', 'p $x28', 'p $v2', 'p *(int *)0x90000000',
                'continue', 'p *(int *)0x90000000'],
        ['Breakpoint 1', r'\$1 = 1000', r'\$2 = 1000', r'\$3 = 500',
         r'\$4 = 500', r'\$5 = 500', 'Breakpoint 1', r'\$6 = 1000'], 1),
    'a_changed_register_that_no_code_touches_ends_with_its_work_group': (
        ['count.s', '--grid', '4096', '--local', '32', '--arg', 'zeros:4096', '--arg',
         'u32:1', '--show', '0'],
        ['tbreak end', 'continue', 'p $v20 = 9', 'break end if $v20 == 9 && $gid_x > 31',
         'continue'],
        [r'\$1 = 9', 'exited normally'], 0),
    'goes_back_to_who_wrote': (
        COUNT, ['break end', 'continue', 'watch *(int *)0x90000014',
                'reverse-continue', 'p $x28', 'p $lane', 'p $pc'],
        ['Breakpoint 1', 'Old value = 1000', 'New value = 999', r'\$1 = 999',
         r'\$2 = 5', r'<loop\+8>'], 1),
    'says_who_wrote': (
        COUNT, ['break end', 'continue', 'p $pc',
                'monitor who-wrote 0x90000014 4', 'p $pc',
                'monitor who-wrote 0x80000000'],
        [r'\$1 = .*<end>', r'work-item \(5,0,0\), thread 6, 3 instructions ago',
         'loop.0x8', r'\$2 = .*<end>', 'no write since'], 1),
    # what was before a change by hand is gone, and the message says so
    'says_that_a_change_ended_the_history': (
        COUNT, ['break end', 'continue', 'monitor who-wrote 0x90000014 4',
                'set var *(int *)0x90000020 = 5',
                'monitor who-wrote 0x90000014 4'],
        ['work-item .5,0,0.', 'no write since instruction [1-9][0-9]*, where the '
         'history begins'], 1),
    'ends_where_the_launch_begins': (
        COUNT, ['break end', 'continue', 'delete', 'reverse-continue',
                'monitor time', 'p *(int *)0x90000000', 'continue'],
        ['No more reverse-execution history', 'instruction 0 of',
         r'\$1 = 0', 'exited normally'], 0),
    'stops_at_a_fault': (
        WILD, ['continue', 'p $lane', 'p $gid_x', 'p/x $mask', 'p $v1',
               'reverse-stepi', 'reverse-stepi', 'p $v1', 'continue'],
        ["kernel 'wild': access to unmapped memory", 'SIGSEGV', r'\$1 = 5',
         r'\$2 = 5', r'\$3 = 0x20', r'\$4 = 64', r'\$5 = 31', 'SIGSEGV'], 1),
    'shows_the_simt_stack': (
        DIVERGENT, ['break divergent.s:%d' % line('divergent.s', 'vsrl.vi'),
                    'continue', 'p/x $mask', 'p $depth', 'monitor stack',
                    'monitor lanes', 'thread 1', 'p $active', 'thread 4',
                    'p $active'],
        # n = lane + 1; lane 0 is done, and the even lanes, 15, went first; the
        # others, 16, meet them at next, and all meet lane 0 at done
        [r'\$1 = 0xaaaaaaaa', r'\$2 = 2', 'active  00000000aaaaaaaa',
         '#0 .*fffffffe .* next', '#1 .*ffffffff .* done', r'0 +1 +\(0,0,0\) +not active',
         r'3 +4 +\(3,0,0\) +active', r'\$3 = 0', r'\$4 = 1'], 1),
    'shows_arguments_and_the_launch': (
        SCALE, ['monitor args', 'monitor kernel', 'monitor help', 'monitor x'],
        [r'0 global int\* out at 0x90000000, 256 bytes',
         r'2 value int factor = 02 00 00 00', r'global \(64,1,1\) local \(32',
         'monitor who-wrote', "unknown command 'x'"], 1),
    'shows_the_vector_of_a_warp': (
        COUNT, ['break count.s:%d' % line('count.s', 'vsll.vi'), 'continue',
                'p $wv0', 'p $wv0[7]', 'monitor dis $pc 1'],
        [r'\$1 = \{0, 1, 2, 3, ', r'\$2 = 7'], 1),
    'reads_what_debug_information_calls_memory': (
        REDUCE, ['tbreak idle if $lid_x == 5', 'continue',
                 'p *(int *)0x60000014',
                 'p *(int *)0x70000814', 'p *(int *)0x50000404 == $v1',
                 'p *(int *)0x50000014 == $x5', 'p $v6 = 7',
                 'p *(int *)0x50000418', 'p *(int *)0x50000480 == $v32'],
        # 5 + 37 after the first half
        [r'\$1 = 42', r'\$2 = 42', r'\$3 = 1', r'\$4 = 1', r'\$5 = 7',
         r'\$6 = 7', r'\$7 = 1'], 1),
    'reads_private_memory': (
        PRIVATE, ['tbreak private.s:%d' % line('private.s', 'ret'), 'continue',
                  'p *(int *)0x40000004 == *(int *)4', 'thread 3',
                  'p *(int *)0x40000000', 'p *(int *)0x4000001c'],
        [r'\$1 = 1', r'\$2 = 16', r'\$3 = 23'], 1),
    'changes_a_register_and_memory': (
        COUNT, ['tbreak count', 'continue', 'stepi 2', 'set $x7 = 10',
                'set var *(int *)0x90000008 = 100', 'detach'],
        ['detached'], 0),
    'stops_at_a_finding': (
        WILD + ['--check=memory'],
        ['continue', 'monitor warps', 'info line *$pc', 'list bad', 'continue'],
        ['ventus: null: access by a null pointer', 'SIGTRAP',
         r'vsw12', 'exited normally'], 1),
    'pointers_of_version_2_have_64_bits': (
        WIDE, [f'break wide.cl:{STORE} if far == 0x24de9376c',
               'continue', 'p $gid_x', 'p out', 'p far',
               'p mine', 'p *mine', 'p both', 'p *both.where', 'p *k', 'p kept',
               'p tile[3]', 'p sizeof(far)', 'x/2dw out'],
        [r'Breakpoint 1, wide \(out=0x100000000, far=0x24d', r'\$1 = 37',
         r'\$2 = \(int \*\) 0x100000000', r'\$3 = \(const int \*\) 0x24d',
         r'\$4 = \(int \*\) 0x100000094', r'\$5 = 0',
         r'\$6 = \{first = 69, where = 0x100000094\}', r'\$7 = 0',
         r'\$8 = 2', r'\$9 = \{1, 2, 3, 37\}', r'\$10 = 35', r'\$11 = 8',
         r'0x100000000:\s'], 1),
    'watches_and_changes_memory_above_4_gib': (
        WIDE, [f'break wide.cl:{STORE} if $gid_x == 37', 'continue',
               'p far[0]', 'set var far[0] = 5', 'p far[0]', 'rwatch *far',
               'watch -l *mine', 'continue', 'p $gid_x', 'continue',
               'p $gid_x', 'reverse-continue', 'p $gid_x',
               'monitor who-wrote 0x100000094 4', 'reverse-stepi', 'p *mine'],
        [r'\$1 = 0', r'\$2 = 5', r'Hardware read watchpoint 2: \*far',
         r'Hardware watchpoint 3: -location \*mine',
         'Hardware read watchpoint 2', 'Value = 5', r'\$3 = 37',
         'Old value = 0', 'New value = 76', r'\$4 = 37', 'Old value = 76',
         'New value = 0', r'\$5 = 37', 'no write since', r'\$6 = 0'], 1),
    'watches_several_words_of_private_memory': (
        WIDE, [f'break wide.cl:{MINE} if $gid_x == 37', 'continue',
               'watch -l kept', *['continue'] * 4, 'p $gid_x', 'delete 1',
               'reverse-continue', 'p $gid_x', 'delete', 'watch -l far',
               'continue', 'p $gid_x'],
        ['watchpoint 2: -location kept', r'New value = \{1, 0, 0, 0\}',
         r'New value = \{1, 2, 0, 0\}', r'New value = \{1, 2, 3, 0\}',
         r'New value = \{1, 2, 3, 37\}', r'\$1 = 37',
         r'New value = \{1, 2, 3, 0\}', r'\$2 = 37', 'Old value = .*0x100200000',
         r'\$3 = 37'], 1),
    'a_condition_reads_memory_above_4_gib': (
        WIDE, ['tbreak take if p[n] == 73', 'continue', 'bt', 'p n', 'p p[n]',
               'p *p@3', 'up', 'p i', 'p mine', 'finish'],
        # 2 * gid and tile[0]'s 32, less 32 in the first work-group, and *k
        [r'take \(p=0x100000000, n=38\)', r'#1 .* in wide \(out=0x100000000',
         r'\$1 = 38', r'\$2 = 73', r'\$3 = \{', '#1 .* wide', r'\$4 = 38',
         r'\$5 = \(int \*\) 0x100000098', ''], 1),
    'changes_registers_of_version_2': (
        WIDE, ['break take if n == 38', 'continue', 'p $pc', 'p $x5 = -7',
               'p $x5', 'stepi', 'set $pc = $pc', 'p $pc', 'p $v40 = 9',
               'p $v40', 'p/x $sp'],
        [r'\$1 = .* 0x8[0-9a-f]{7} <take', r'\$2 = -7', r'\$3 = -7',
         r'\$4 = .* 0x8[0-9a-f]{7} <take', r'\$5 = 9', r'\$6 = 9',
         r'\$7 = 0x7'], 1),
    # what a kernel reads of the launch is read first, before parameters are stored
    'breaks_at_functions_behind_what_the_launch_says': (
        ['local.elf', *LOCAL],
        ['break places', 'break put', 'continue', 'continue', 'p *tile@2'],
        [r'Breakpoint 1, places \(out=0x100000000\)', 'long i = get_global_id',
         r'Breakpoint 2, put \(tile=0x70000400, n=0\)', 'tile.get_local_id',
         r'\$1 = \{0, 0\}'], 1),
    'members_point_to_local_and_private_memory': (
        ['local.elf', *LOCAL],
        [f'break local.cl:{READ} if i == 7', 'continue', 'p p', 'p *p.tile',
         'p *p.kept', 'p sizeof(p)'],
        [r'\$1 = \{tile = 0x70000408, kept = 0x[0-9a-f]+, n = -1\}',
         r'\$2 = 6', r'\$3 = 7', r'\$4 = 24'], 1),
    'a_private_structure_has_an_address': (
        NODE, [f'break node.cl:{SUM} if i == 2', 'continue', 'p own', 'p *&own.left',
               'eval "monitor who-wrote %p 4", &own.left'],
        [r'\$1 = \{key = 6, left = 7, right = 15\}', r'\$2 = 7',
         rf'work-item \(2,0,0\), .*node.cl:{COPY}\b'], 1),
    'a_function_has_its_parameters_where_it_begins': (
        ['local2.elf', *LOCAL],
        [f'break local.cl:{PUT}', 'continue', 'thread 8', 'p n'],
        [r'Breakpoint 1, put \(tile=0x70000400, n=0\)', 'Switching', r'\$1 = 21'], 1),
    'goes_back_over_a_finding': (
        WILD + ['--check'],
        ['continue', 'reverse-stepi', 'info symbol $pc', 'p $lane',
         'reverse-continue', 'set $x5 = 1', 'tbreak bad', 'continue', 'stepi',
         'continue'],
        ['ventus: null: access by a null pointer', 'bad', r'\$1 = 5',
         'No more reverse-execution history',
         'Could not write register "t0"', 'Temporary breakpoint 1, ', 'exited normally'], 1),
    'detached_it_goes_on': (SCALE, ['break scale', 'continue', 'detach'],
                            ['detached'], 0),
}

# All that goes back shows the same under --check; a fault is a finding there,
# and the shadow of WIDE's buffer takes longer than GDB waits for a connection.
SESSIONS.update({
    name + '_with_check': (args + ['--check'], commands, *rest)
    for name, (args, commands, *rest) in list(SESSIONS.items())
    if any('reverse' in command or 'who-wrote' in command
           for command in commands)
    and args != WIDE and args[-1] != '--check' and name != 'stops_at_a_fault'})


def of_version_2():
    """The sessions with compiled kernels, with those of version 2."""
    for name, session in list(SESSIONS.items()):
        args = session[0]
        if args not in (SCALE, CALLS):
            continue
        wide = [args[0].replace('.elf', '2.elf'), '--device', 'ventus2']
        patterns = [x.replace('0x90000000', '0x100000000') for x in session[2]]
        # the compiler copies what is of the other line onto a path not taken
        commands = [x.replace(f'scale.cl:{OUT}', f'scale.cl:{OUT - 4}')
                    for x in session[1]]
        SESSIONS[f'{name}_of_version_2'] = (
            wide + args[1:], commands, patterns, *session[3:])


of_version_2()


def build(folder):
    for name in 'scale.cl', 'calls.cl', 'wide.cl', 'local.cl', 'choose.cl', \
            'node.cl', 'count.s', 'wild.s', 'reduce.s', 'divergent.s', \
            'private.s':
        source = (KERNELS if (KERNELS / name).exists() else EXAMPLES) / name
        shutil.copy(source, folder)
        if name.endswith('.cl'):
            program = name[:-3]
            wide = [VENTUS, 'cc', '-g', '-march=ventus2', '-o']
            run([VENTUS, 'cc', '-g', '-o', program + '.elf', name], folder)
            run([*wide, program + '2.elf', name], folder)
            if name in ('wide.cl', 'local.cl'):
                run([*wide, program + '.elf', '-O0', name], folder)
            if name in ('choose.cl', 'node.cl'):
                run([VENTUS, 'cc', '-g', '-O0', '-o', program + '.elf', name],
                    folder)


def run(command, folder):
    p = subprocess.run(command, cwd=folder, check=False, capture_output=True,
                       text=True)
    if p.returncode:
        sys.exit(f'{" ".join(command)}: {p.stdout}{p.stderr}')


def play(folder, name):
    """What GDB shows, what the kernel gives, the exit status."""
    args, commands, _, _, *before = SESSIONS[name]
    target = subprocess.Popen(
        [VENTUS, 'exec', '--gdb', 'unix:socket', *args], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    connect = target.stderr.readline().split('gdb: ')[1].strip()
    first = before[0] if before else []
    script = START + first + [connect]
    script += [] if first else ['sharedlibrary']
    words = ['gdb-multiarch', '-nx', '-batch']
    for each in script + commands:
        words += ['-ex', each]
    p = subprocess.run(words, cwd=folder, check=False, text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    out, err = target.communicate()
    return p.stdout, out + err, target.returncode


def check(folder, name):
    shown, given, status = play(folder, name)
    at, wrong = 0, []
    for pattern in SESSIONS[name][2]:
        found = re.compile(pattern).search(shown, at)
        if not found:
            wrong.append(f'no {pattern!r}')
            break
        at = found.end()
    if status != SESSIONS[name][3]:
        wrong.append(f'exit status {status}')
    if name.removesuffix('_of_version_2') in (
            'detached_it_goes_on', 'a_condition_chooses_the_work_item'):
        wanted = [scaled(i) for i in range(64)]
        if numbers(given) != wanted:
            wrong.append('the results are wrong')
    if name == 'changes_a_register_and_memory':
        wanted = [10] * 64
        # the second warp, which had begun, has its own x7; the word was 100
        wanted = [10 if i < 32 else 1000 for i in range(64)]
        wanted[2] = 110
        if numbers(given) != wanted:
            wrong.append('the results are wrong')
    if name == 'goes_back_over_a_finding' and 'made 1 time,' not in given:
        wrong.append('the finding is not made once')
    if wrong:
        print(f'{name}: {", ".join(wrong)}\n{shown}\n{given}')
    return not wrong


def numbers(text):
    return [int(n) for row in re.findall(r'^ +\d+:(.*)$', text, re.M)
            for n in row.split()]


def main():
    names = WANTED or list(SESSIONS)
    with tempfile.TemporaryDirectory() as folder:
        build(folder)
        wrong = [name for name in names if not check(folder, name)]
    if wrong:
        sys.exit(f'{len(wrong)} of {len(names)} sessions differ: '
                 f'{" ".join(wrong)}')
    print(f'{len(names)} sessions')


if __name__ == '__main__':
    main()
