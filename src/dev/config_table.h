/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every setting of a device, included once for each table made of it:
 * CONFIG_KEY(section, name, type, unit, min, max, power of two, default,
 *            choices, meaning)
 * CONFIG_TEXT(section, name, meaning): what a program is told; no machine differs by it
 */
#ifndef CONFIG_KEY
#define CONFIG_KEY(...)
#endif
#ifndef CONFIG_TEXT
#define CONFIG_TEXT(...)
#endif
/* clang-format off */
CONFIG_TEXT(names, device_name, "CL_DEVICE_NAME, in place of Ventus and the preset")
CONFIG_TEXT(names, vendor, "CL_DEVICE_VENDOR")
CONFIG_TEXT(names, driver_version, "CL_DRIVER_VERSION")
CONFIG_KEY(machine, isa, CHOICE, "", 1, 2, false, 1, "v1 v2",
           "version of the instruction set")
CONFIG_KEY(machine, num_thread, NUMBER, "lanes", 1, 64, true, 32, NULL,
           "threads of a warp")
CONFIG_KEY(machine, num_sm, NUMBER, "", 1, 1024, false, 2, NULL,
           "streaming multiprocessors")
CONFIG_KEY(machine, num_warp, NUMBER, "", 1, 1024, false, 32, NULL,
           "warp slots of an SM")
CONFIG_KEY(machine, num_sgpr, NUMBER, "registers", 0, 1 << 20, false, 0, NULL,
           "scalar registers of an SM; 0: 64 for each warp slot")
CONFIG_KEY(machine, num_vgpr, NUMBER, "registers", 0, 1 << 20, false, 0, NULL,
           "vector registers of an SM; 0: 256 for each warp slot")
CONFIG_KEY(machine, local_size, SIZE, "bytes", 1024, 1 << 28, false, 128 << 10,
           NULL, "local memory of an SM")
CONFIG_KEY(machine, stack_depth, NUMBER, "entries", 0, 65536, false, 0, NULL,
           "SIMT stack of a warp; 0: twice num_thread")
CONFIG_KEY(memory, memory_size, SIZE, "bytes", 1 << 20, 1ull << 37, false,
           0x6ffff000, NULL,
           "memory for buffers; with isa = v1 at most 0x6ffff000")
CONFIG_KEY(memory, bounds, CHOICE, "", 0, 1, false, 0, "padded strict",
           "kernels may access bytes after each object, which is told; strict: a "
           "fault")
CONFIG_KEY(memory, host_memory, BOOL, "", 0, 1, false, 0, NULL,
           "kernels may access all memory of the host program, at its addresses")
CONFIG_KEY(memory, program_size, SIZE, "bytes", 4096, 1 << 28, false, 1 << 28,
           NULL, "all segments of a program, more is refused")
CONFIG_KEY(memory, program_segments, NUMBER, "", 1, 65535, false, 4096, NULL,
           "loadable segments of a program, more are refused")
CONFIG_KEY(memory, private_size, SIZE, "bytes", 4, 1 << 24, false, 1 << 10,
           NULL, "private memory of a thread of a kernel without a record")
CONFIG_KEY(memory, private_pool, SIZE, "bytes", 1 << 16, 1 << 30, false,
           64 << 20, NULL, "private memory of the workgroups in flight")
CONFIG_KEY(rules, all_lanes, BOOL, "", 0, 1, false, 0, NULL,
           "lanes without a work-item run, too, as upstream machines do")
CONFIG_KEY(rules, ignore_vm, BOOL, "", 0, 1, false, 0, NULL,
           "vm = 0 masks nothing: v0 is an ordinary register")
CONFIG_KEY(rules, scalar_amo, BOOL, "", 0, 1, false, 0, NULL,
           "atomics once a warp, on x registers")
CONFIG_KEY(rules, vadd12_signed, BOOL, "", 0, 1, false, 0, NULL,
           "the immediate of vadd12.vi and vsub12.vi has a sign")
CONFIG_KEY(rules, barrier_all, BOOL, "", 0, 1, false, 0, NULL,
           "barriers wait for ended warps too, as the RTL does")
CONFIG_KEY(rules, round_robin, BOOL, "", 0, 1, false, 0, NULL,
           "one instruction of each warp in turn, on one host thread")
CONFIG_KEY(rules, common_pds, BOOL, "", 0, 1, false, 0, NULL,
           "one private base for all workgroups, as in Spike, if one runs at a time")
CONFIG_KEY(rules, join_check, BOOL, "", 0, 1, false, 1, NULL,
           "a join on an empty SIMT stack that no setrpc names is a fault")
CONFIG_KEY(run, host_threads, NUMBER, "", 0, 256, false, 0, NULL,
           "host threads; 0: one for each processor, for a model one")
CONFIG_KEY(run, deterministic, BOOL, "", 0, 1, false, 0, NULL,
           "a fixed order of workgroups, by one thread if the machine needs that")
CONFIG_KEY(run, max_instructions, NUMBER, "", 0, UINT64_MAX, false, 0, NULL,
           "of one warp, more are a fault; 0: no limit")
CONFIG_KEY(run, max_ms, NUMBER, "ms", 0, UINT64_MAX, false, 0, NULL,
           "wall clock of a launch, more is a fault; 0: no limit")
CONFIG_KEY(run, print_text, SIZE, "bytes", 4096, 1 << 30, false, 1 << 20, NULL,
           "text of one printf of a kernel, more fails the launch")
CONFIG_KEY(run, portable, BOOL, "", 0, 1, false, 0, NULL,
           "portable lane loops, for any host processor")
CONFIG_KEY(run, execution, CHOICE, "", 0, 2, false, 1,
           "interpreter auto native",
           "of the functional machine; auto: what is hot becomes code of the host; "
           "native: all, before it runs")
CONFIG_KEY(machine, engine, CHOICE, "", 0, ENGINES - 1, false, 0,
           engine_choices, engine_meanings)
CONFIG_KEY(machine, clock_mhz, NUMBER, "MHz", 1, 100000, false, 500, NULL,
           "clock of a machine that counts cycles: its time")
#define MODEL_KEY(section, name, member, ...) \
    CONFIG_KEY(section, name, __VA_ARGS__)
#include "model/config_table.h"
#undef MODEL_KEY
#undef CONFIG_KEY
#undef CONFIG_TEXT
