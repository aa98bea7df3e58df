# SPDX-License-Identifier: Apache-2.0
"""The structs and calls of the C headers, for ctypes.

Names are those of <ventus/dev.h>, <ventus/sim.h>, <ventus/isa.h> and
<ventus/asm.h> without `ventus_`.  tests/python/layout.py compares the offset of
each member with what a C compiler says of the headers.
"""
from __future__ import annotations

import ctypes as c

u8, u16, u32, u64 = c.c_uint8, c.c_uint16, c.c_uint32, c.c_uint64
uint, size_t, text, pointer = c.c_uint, c.c_size_t, c.c_char_p, c.c_void_p
u64_3 = u64 * 3


class DevKey(c.Structure):
    _fields_ = [('section', text), ('name', text), ('type', c.c_int),
                ('unit', text), ('min', u64), ('max', u64),
                ('power_of_two', c.c_bool), ('fallback', u64),
                ('choices', text), ('meaning', text)]


class DevEngine(c.Structure):
    _fields_ = [('name', text), ('meaning', text), ('capabilities', uint)]


class DevShare(c.Structure):
    _fields_ = [('native', u64), ('interpreted', u64), ('why', text)]


class DevOptions(c.Structure):
    _fields_ = [('config', text), ('set', c.POINTER(text)), ('n_set', size_t),
                ('host_threads', uint), ('bare', c.c_bool)]


class DevParam(c.Structure):
    _fields_ = [('name', text), ('type_name', text), ('kind', c.c_int),
                ('access', uint), ('qualifiers', uint), ('size_B', u32),
                ('align_B', u32)]


class DevKernel(c.Structure):
    _fields_ = [('name', text), ('program', pointer), ('entry', u64),
                ('isa', uint), ('sgprs', uint), ('vgprs', uint),
                ('local_B', u32), ('private_B', u32), ('required_wg', u32 * 3),
                ('hint_wg', u32 * 3), ('spills', u32), ('hint_type', text),
                ('uniform_groups', c.c_bool), ('recorded', c.c_bool),
                ('params', c.POINTER(DevParam)), ('n_params', size_t),
                ('exchange_at', u32), ('exchange_B', u32),
                ('exact_atomics', c.c_bool), ('required_sub_group', u32)]


class DevArg(c.Structure):
    _fields_ = [('kind', c.c_int), ('bytes', pointer), ('size', u64),
                ('address', u64), ('align', u32), ('part_B', u64)]


ARG_BYTES, ARG_BUFFER, ARG_LOCAL, ARG_POINTER = range(4)


class IsaInsn(c.Structure):
    _fields_ = [('aqrl', u8), ('pair', u8), ('op', u16), ('reg', u8 * 4),
                ('imm', c.c_int32), ('vm', u8), ('rm', u8), ('aux', u16),
                ('prefix', u16), ('abs', u8), ('neg', u8), ('space', u8),
                ('width', u8), ('hint', u8), ('ext', u16), ('spare', u16),
                ('prefix_spare', u16), ('split', c.c_bool)]


class IsaPrint(c.Structure):
    _fields_ = [('style', c.c_int), ('abi_names', c.c_bool),
                ('scalar_amo', c.c_bool), ('no_alias', c.c_bool),
                ('has_pc', c.c_bool), ('pc', u64), ('symbol', pointer),
                ('ctx', pointer)]


ISA_TEXT_MAX = 128


class SimStep(c.Structure):
    _fields_ = [('group', u64), ('warp', uint), ('pc', u64), ('next_pc', u64),
                ('words', u32 * 2), ('in_', c.POINTER(IsaInsn)),
                ('mask', u64), ('next_mask', u64), ('exec', u64),
                ('stack', uint), ('num_thread', uint), ('x', c.POINTER(u32)),
                ('v', c.POINTER(u32)), ('stride', uint),
                ('addresses', c.POINTER(u64)), ('access_B', uint),
                ('scalar_access', c.c_bool), ('vl', u32), ('vtype', u32),
                ('rpc', u32), ('fflags', u32), ('fflags_raised', u32),
                ('waits', c.c_bool)]


PRINT_FN = c.CFUNCTYPE(None, pointer, pointer, size_t)
STEP_FN = c.CFUNCTYPE(None, pointer, c.POINTER(SimStep))
ISSUE_FN = c.CFUNCTYPE(None, pointer, u64, uint, uint, u64, u32)


class DevHooks(c.Structure):
    _fields_ = [('ctx', pointer), ('print', PRINT_FN), ('step', STEP_FN),
                ('issue', ISSUE_FN)]


class DevCounter(c.Structure):
    _fields_ = [('name', text), ('value', u64)]


class DevCounters(c.Structure):
    _fields_ = [('n', uint), ('at', DevCounter * 96)]


class DevLaunch(c.Structure):
    _fields_ = [('kernel', c.POINTER(DevKernel)), ('work_dim', uint),
                ('global_', u64_3), ('local', u64_3), ('offset', u64_3),
                ('args', c.POINTER(DevArg)), ('n_args', size_t),
                ('local_B', u32), ('private_B', u32), ('printed', pointer),
                ('print_B', u32), ('hooks', c.POINTER(DevHooks)),
                ('stats', c.c_bool), ('profile', pointer),
                ('sm', c.POINTER(DevCounters)), ('touched', pointer),
                ('bare', pointer),
                ('bare_name', text)]


class DevClass(c.Structure):
    _fields_ = [('name', text), ('warp', u64), ('thread', u64)]


class DevStats(c.Structure):
    _fields_ = [(name, u64) for name in (
        'warp_instructions', 'thread_instructions', 'vector_instructions',
        'vector_lanes', 'branches', 'branches_divergent', 'joins', 'barriers',
        'workgroups')] + [('max_stack', uint)] + [(name, u64) for name in (
            'loads_uniform', 'loads_unit', 'loads_gather', 'stores_uniform',
            'stores_unit', 'stores_scatter')] + [
                ('n_classes', uint), ('classes', DevClass * 16)]


class DevFault(c.Structure):
    _fields_ = [('kind', text), ('pc', u64), ('address', u64),
                ('group', u64_3), ('warp', uint), ('lane', c.c_int),
                ('item', u64_3), ('place', c.c_char * 256),
                ('insn', c.c_char * 128)]


QUEUED, RUNNING, DONE, FAILED = range(4)


class DevResult(c.Structure):
    _fields_ = [('ok', c.c_bool), ('message', c.c_char * 2048),
                ('fault', DevFault), ('stats', DevStats), ('queued_ns', u64),
                ('start_ns', u64), ('end_ns', u64), ('cycles', u64),
                ('counters', DevCounters), ('sm', c.POINTER(DevCounters)),
                ('num_sm', uint), ('num_warp', uint), ('clock_MHz', uint),
                ('profile', pointer)]


class DevRecord(c.Structure):
    _fields_ = [('trace', text), ('konata', text), ('events', text),
                ('json', text), ('report', text), ('hot', pointer),
                ('from_cycle', u64), ('to_cycle', u64), ('kernel', text),
                ('sm', uint), ('one_sm', c.c_bool), ('trace_max_B', u64),
                ('notes', pointer)]


class DevCheck(c.Structure):
    _fields_ = [('kinds', text), ('text', pointer), ('suppress', text),
                ('limit', u64), ('uniform_writes', c.c_bool)]


class AsmOptions(c.Structure):
    _fields_ = [('file', text), ('version', c.c_int), ('debug', c.c_bool),
                ('listing', c.c_bool), ('include_dirs', c.POINTER(text)),
                ('include_dir_count', size_t), ('defines', c.POINTER(text)),
                ('define_count', size_t)]


class AsmMessage(c.Structure):
    _fields_ = [('severity', c.c_int), ('file', text), ('line', uint),
                ('col', uint), ('line_text', text), ('text', text)]


class AsmResult(c.Structure):
    _fields_ = [('object', c.POINTER(u8)), ('object_size', size_t),
                ('listing', pointer), ('listing_size', size_t),
                ('messages', c.POINTER(AsmMessage)),
                ('message_count', size_t), ('errors', uint),
                ('warnings', uint), ('memory', pointer)]


# Name: (result, arguments).
FUNCTIONS = {
    'version': (text, []),
    'version_number': (uint, []),
    'dev_message': (text, []),
    'dev_keys': (c.POINTER(DevKey), [c.POINTER(size_t)]),
    'dev_presets': (c.POINTER(pointer), [c.POINTER(pointer)]),
    'dev_engines': (c.POINTER(DevEngine), [c.POINTER(size_t)]),
    'dev_capability_name': (text, [uint]),
    'dev_open': (pointer, [c.POINTER(DevOptions)]),
    'dev_close': (None, [pointer]),
    'dev_reset': (c.c_bool, [pointer]),
    'dev_setting': (u64, [pointer, text]),
    'dev_native_share': (DevShare, [pointer]),
    'dev_can': (c.c_bool, [pointer, c.c_int]),
    'dev_alloc': (u64, [pointer, u64, uint]),
    'dev_free': (c.c_bool, [pointer, u64]),
    'dev_read': (c.c_bool, [pointer, u64, pointer, u64]),
    'dev_write': (c.c_bool, [pointer, u64, pointer, u64]),
    'dev_copy': (c.c_bool, [pointer, u64, u64, u64]),
    'dev_fill': (c.c_bool, [pointer, u64, pointer, size_t, u64]),
    'dev_load': (pointer, [pointer, text, size_t, text]),
    'dev_unload': (None, [pointer]),
    'dev_kernels': (c.POINTER(DevKernel), [pointer, c.POINTER(size_t)]),
    'dev_find': (c.POINTER(DevKernel), [pointer, text]),
    'dev_describe': (c.c_bool, [pointer, u64, pointer, size_t]),
    'dev_choose_local': (None, [pointer, c.POINTER(DevKernel), u64_3, u64_3]),
    'dev_submit': (pointer, [pointer, c.POINTER(DevLaunch)]),
    'dev_query': (c.c_int, [pointer]),
    'dev_progress': (u64, [pointer, c.POINTER(u64)]),
    'dev_stop': (None, [pointer]),
    'dev_wait': (c.c_bool, [pointer, c.POINTER(DevResult)]),
    'dev_ticket_free': (None, [pointer]),
    'dev_record': (c.c_bool, [pointer, c.POINTER(DevRecord)]),
    'dev_record_end': (c.c_bool, [pointer]),
    'dev_check': (c.c_bool, [pointer, c.POINTER(DevCheck)]),
    'dev_check_found': (u64, [pointer, c.POINTER(u64)]),
    'dev_check_json': (c.c_bool, [c.POINTER(pointer), c.c_uint, pointer]),
    'dev_cycles_ns': (u64, [pointer, u64]),
    'isa_print': (size_t, [c.POINTER(IsaInsn), c.POINTER(IsaPrint), pointer,
                           size_t]),
    'asm_assemble': (c.c_bool, [c.POINTER(AsmOptions), text, size_t,
                                c.POINTER(AsmResult)]),
    'asm_free': (None, [c.POINTER(AsmResult)]),
}

# The struct of each class, and the members that have another name in Python.
STRUCTS = {
    DevKey: 'ventus_dev_key', DevEngine: 'ventus_dev_engine',
    DevShare: 'ventus_dev_share', DevOptions: 'ventus_dev_options', DevParam: 'ventus_dev_param',
    DevKernel: 'ventus_dev_kernel', DevArg: 'ventus_dev_arg',
    IsaInsn: 'ventus_isa_insn', IsaPrint: 'ventus_isa_print',
    SimStep: 'ventus_sim_step', DevHooks: 'ventus_dev_hooks',
    DevCounter: 'ventus_dev_counter', DevCounters: 'ventus_dev_counters',
    DevLaunch: 'ventus_dev_launch', DevClass: 'ventus_dev_class',
    DevStats: 'ventus_dev_stats', DevFault: 'ventus_dev_fault',
    DevResult: 'ventus_dev_result', DevRecord: 'ventus_dev_record',
    DevCheck: 'ventus_dev_check', AsmOptions: 'ventus_asm_options',
    AsmMessage: 'ventus_asm_message', AsmResult: 'ventus_asm_result',
}
RENAMED = {'in_': 'in', 'global_': 'global'}


class Library:
    """libventus.so with the types of its calls: `lib.dev_open(...)`."""

    def __init__(self, path: str):
        self.path = path
        self._dll = c.CDLL(path)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self._dll, 'ventus_' + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
