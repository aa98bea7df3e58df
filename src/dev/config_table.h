/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every setting of a device, included once for each table made of it:
 * CONFIG_KEY(section, name, type, unit, min, max, power of two, default,
 *            choices, meaning)
 */
/* clang-format off */
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
CONFIG_KEY(memory, memory_size, SIZE, "bytes", 1 << 20, 0x6ffff000, false,
           0x6ffff000, NULL, "memory for buffers")
CONFIG_KEY(memory, buffer_slack, SIZE, "bytes", 0, 1 << 20, false, 0, NULL,
           "behind each buffer that kernels may access, too")
CONFIG_KEY(memory, program_size, SIZE, "bytes", 4096, 1 << 28, false, 1 << 28,
           NULL, "all segments of a program, more is refused")
CONFIG_KEY(memory, program_segments, NUMBER, "", 1, 65535, false, 4096, NULL,
           "loadable segments of a program, more are refused")
CONFIG_KEY(memory, local_bounds, BOOL, "", 0, 1, false, 1, NULL,
           "local memory of a recorded kernel ends where it says; no: the "
           "window's end")
CONFIG_KEY(memory, private_size, SIZE, "bytes", 4, 1 << 24, false, 1 << 10,
           NULL, "private memory of a thread whose kernel does not say")
CONFIG_KEY(memory, private_pool, SIZE, "bytes", 1 << 16, 1 << 30, false,
           64 << 20, NULL, "private memory of the workgroups in flight")
CONFIG_KEY(rules, all_lanes, BOOL, "", 0, 1, false, 0, NULL,
           "partial warps run all lanes, as upstream machines do")
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
           "one private base for all workgroups, as Spike has it")
CONFIG_KEY(rules, join_check, BOOL, "", 0, 1, false, 1, NULL,
           "a join on an empty SIMT stack that no setrpc names is a fault")
CONFIG_KEY(run, host_threads, NUMBER, "", 0, 1024, false, 0, NULL,
           "threads that simulate; 0: one for each processor, for a model one")
CONFIG_KEY(run, deterministic, BOOL, "", 0, 1, false, 0, NULL,
           "one order of workgroups, by one thread if the machine needs that")
CONFIG_KEY(run, max_instructions, NUMBER, "", 0, UINT64_MAX, false, 0, NULL,
           "of one warp, more are a fault; 0: no limit")
CONFIG_KEY(run, max_ms, NUMBER, "ms", 0, UINT64_MAX, false, 0, NULL,
           "wall clock of a launch, more is a fault; 0: no limit")
CONFIG_KEY(run, print_text, SIZE, "bytes", 4096, 1 << 30, false, 1 << 20, NULL,
           "text of one printf of a kernel, more fails the launch")
CONFIG_KEY(run, seed, NUMBER, "", 0, UINT64_MAX, false, 0, NULL,
           "of scheduler = random and memory_jitter: same seed, same cycles")
CONFIG_KEY(run, portable, BOOL, "", 0, 1, false, 0, NULL,
           "plain C lane loops, whatever the processor has")
CONFIG_KEY(machine, engine, CHOICE, "", 0, 1, false, 0, "sim model",
           "sim runs fast, model counts cycles")
CONFIG_KEY(machine, clock_mhz, NUMBER, "MHz", 1, 100000, false, 500, NULL,
           "clock of a machine that counts cycles: its time")
CONFIG_KEY(pipeline, issue_width, NUMBER, "", 1, 2, false, 1, NULL,
           "instructions a cycle; 2: one scalar and one other")
CONFIG_KEY(pipeline, scheduler, CHOICE, "", 0, 5, false, 0,
           "rr fixed lrr gto two_level random",
           "which of the ready warps issues")
CONFIG_KEY(pipeline, inner_warps, NUMBER, "warps", 1, 64, false, 8, NULL,
           "that take turns with scheduler = two_level")
CONFIG_KEY(pipeline, crossbar, NUMBER, "operands", 1, 128, false, 1, NULL,
           "that reach the collectors in a cycle")
CONFIG_KEY(pipeline, ibuffer, NUMBER, "pairs", 1, 8, false, 2, NULL,
           "fetched pairs of instructions a warp holds")
CONFIG_KEY(pipeline, collectors, NUMBER, "", 0, 64, false, 0, NULL,
           "operand collectors of an SM; 0: one for each warp")
CONFIG_KEY(pipeline, banks, NUMBER, "", 1, 64, false, 4, NULL,
           "banks of each register file")
CONFIG_KEY(pipeline, lsu_per_warp, NUMBER, "", 1, 255, false, 4, NULL,
           "loads and stores of a warp that are under way")
CONFIG_KEY(pipeline, private_by_warp, BOOL, "", 0, 1, false, 0, NULL,
           "private lines are the warp's own; the port takes another warp's")
CONFIG_KEY(pipeline, barrier_waits, BOOL, "", 0, 1, false, 0, NULL,
           "a barrier is reached when the accesses that it names are done")
CONFIG_KEY(pipeline, lsu_entries, NUMBER, "", 1, 255, false, 8, NULL,
           "loads and stores of an SM that are under way")
CONFIG_KEY(units, unit_lanes, NUMBER, "lanes", 0, 64, false, 0, NULL,
           "lanes of the vALU, MUL and FPU: a vector takes passes; 0: all")
CONFIG_KEY(units, fpu_cycles, NUMBER, "cycles", 1, 32, false, 5, NULL,
           "a product to which something is added")
CONFIG_KEY(units, fpu_add_cycles, NUMBER, "cycles", 1, 32, false, 3, NULL,
           "an addition or a product alone")
CONFIG_KEY(units, fpu_short_cycles, NUMBER, "cycles", 1, 32, false, 2, NULL,
           "the other operations of the FPU")
CONFIG_KEY(units, mul_cycles, NUMBER, "cycles", 1, 32, false, 3, NULL,
           "integer products")
CONFIG_KEY(units, sfu_fp_cycles, NUMBER, "cycles", 1, 255, false, 11, NULL,
           "division and root, of a group of lanes")
CONFIG_KEY(units, sfu_int_cycles, NUMBER, "cycles", 3, 191, false, 4, NULL,
           "of a group of lanes of an integer division, besides a cycle for "
           "each bit of the quotient")
CONFIG_KEY(units, sfu_lanes, NUMBER, "lanes", 0, 31, false, 0, NULL,
           "lanes of a group; 0: a quarter of a warp")
CONFIG_KEY(units, tensor_cycles, NUMBER, "cycles", 1, 32, false, 8, NULL,
           "a matrix product")
CONFIG_KEY(units, fpu_repeats, BOOL, "", 0, 1, false, 1, NULL,
           "a sum that meets a result of the ALU is written twice")
CONFIG_KEY(icache, icache_sets, NUMBER, "", 1, 65536, true, 32, NULL,
           "sets of an L1I")
CONFIG_KEY(icache, icache_ways, NUMBER, "", 1, 64, false, 2, NULL,
           "ways of an L1I")
CONFIG_KEY(icache, icache_line, NUMBER, "bytes", 8, 256, true, 8, NULL,
           "line of an L1I; of all caches the same")
CONFIG_KEY(icache, icache_mshrs, NUMBER, "", 1, 16, false, 4, NULL,
           "lines that an L1I waits for")
CONFIG_KEY(icache, icache_emptied, BOOL, "", 0, 1, false, 0, NULL,
           "after a workgroup; in the port lines that come then stay")
CONFIG_KEY(dcache, dcache_sets, NUMBER, "", 1, 65536, true, 32, NULL,
           "sets of an L1D")
CONFIG_KEY(dcache, dcache_ways, NUMBER, "", 1, 64, false, 2, NULL,
           "ways of an L1D")
CONFIG_KEY(dcache, dcache_line, NUMBER, "bytes", 8, 256, true, 8, NULL,
           "line of an L1D")
CONFIG_KEY(dcache, dcache_mshrs, NUMBER, "", 1, 16, false, 4, NULL,
           "lines that an L1D waits for")
CONFIG_KEY(dcache, dcache_subentries, NUMBER, "", 1, 16, false, 2, NULL,
           "requests that wait for one line")
CONFIG_KEY(dcache, dcache_keeps_tags, BOOL, "", 0, 1, false, 0, NULL,
           "a request that waits keeps the tags it read; the port reads others")
CONFIG_KEY(dcache, flush_waits, BOOL, "", 0, 1, false, 0, NULL,
           "dirty lines wait for room in the queue; the port's forgets 32")
CONFIG_KEY(dcache, coherence, CHOICE, "", 0, 1, false, 0, "none rcc",
           "rcc: L1Ds hold their own data; fences, aq and rl flush and empty them")
CONFIG_KEY(dcache, write_entries, NUMBER, "", 1, 16, false, 4, NULL,
           "stores of an L1D on their way to the L2")
CONFIG_KEY(l2, l2_sets, NUMBER, "", 1, 65536, true, 2, NULL,
           "sets of the L2")
CONFIG_KEY(l2, l2_ways, NUMBER, "", 1, 64, false, 4, NULL,
           "ways of the L2")
CONFIG_KEY(l2, l2_line, NUMBER, "bytes", 8, 256, true, 8, NULL,
           "line of the L2")
CONFIG_KEY(l2, l2_mshrs, NUMBER, "", 1, 64, false, 4, NULL,
           "requests in the L2")
CONFIG_KEY(l2, l2_hits, BOOL, "", 0, 1, false, 0, NULL,
           "the L2 finds lines again; the measured port never does")
CONFIG_KEY(l2, flush_cycles, NUMBER, "cycles", 0, 65535, false, 18, NULL,
           "walk of the L2 at the end of a workgroup")
CONFIG_KEY(tlb, tlb_entries, NUMBER, "pages", 0, 4096, false, 0, NULL,
           "TLB of an SM, for data; 0: translation takes no time")
CONFIG_KEY(tlb, fetch_tlb_entries, NUMBER, "pages", 0, 4096, false, 0, NULL,
           "TLB of an SM, for instructions; 0: translation takes no time")
CONFIG_KEY(tlb, l2_tlb_entries, NUMBER, "pages", 1, 65536, false, 512, NULL,
           "TLB that all SMs share")
CONFIG_KEY(tlb, l2_tlb_cycles, NUMBER, "cycles", 1, 65535, false, 8, NULL,
           "to look there")
CONFIG_KEY(tlb, page_walkers, NUMBER, "", 1, 1024, false, 1, NULL,
           "page walks that are under way, three reads through the L2 each")
CONFIG_KEY(l2, l2_hit_cycles, NUMBER, "cycles", 1, 32, false, 2, NULL,
           "from the directory of the L2 to the answer, if it has the line")
CONFIG_KEY(l2, bus_queue, NUMBER, "", 1, 32, false, 2, NULL,
           "requests that wait before the L2")
CONFIG_KEY(l2, bus_request_cycles, NUMBER, "cycles", 1, 31, false, 1, NULL,
           "from an SM to the L2")
CONFIG_KEY(l2, bus_reply_cycles, NUMBER, "cycles", 1, 31, false, 1, NULL,
           "from the L2 to an SM")
CONFIG_KEY(dram, memory_cycles, NUMBER, "cycles", 1, 65535, false, 1, NULL,
           "latency of external memory")
CONFIG_KEY(dram, memory_jitter, NUMBER, "cycles", 0, 65535, false, 0, NULL,
           "with memory = fixed a request takes up to so many more, by seed")
CONFIG_KEY(dram, memory_requests, NUMBER, "", 1, 64, false, 1, NULL,
           "requests to external memory that are under way")
CONFIG_KEY(dram, memory, CHOICE, "", 0, 1, false, 0, "fixed dram",
           "fixed: every request takes memory_cycles; dram: rows and banks")
CONFIG_KEY(dram, dram_order, CHOICE, "", 0, 1, false, 0, "fr_fcfs in_order",
           "fr_fcfs: requests to an open row go first")
CONFIG_KEY(dram, dram_channels, NUMBER, "", 1, 16, true, 1, NULL,
           "channels of DRAM, neighbouring lines in turn")
CONFIG_KEY(dram, dram_banks, NUMBER, "", 1, 64, true, 8, NULL,
           "banks of a channel, a row open in each")
CONFIG_KEY(dram, dram_row, SIZE, "bytes", 256, 1 << 20, true, 2048, NULL,
           "row of a bank")
CONFIG_KEY(dram, dram_trcd, NUMBER, "cycles", 0, 255, false, 14, NULL,
           "to open a row")
CONFIG_KEY(dram, dram_trp, NUMBER, "cycles", 0, 255, false, 14, NULL,
           "to close a row")
CONFIG_KEY(dram, dram_tcas, NUMBER, "cycles", 1, 255, false, 14, NULL,
           "from the column command to its data")
CONFIG_KEY(dram, dram_tburst, NUMBER, "cycles", 1, 255, false, 4, NULL,
           "a line on the data bus")
CONFIG_KEY(local, local_cycles, NUMBER, "cycles", 1, 32, false, 3, NULL,
           "latency of local memory")
CONFIG_KEY(local, local_banks, NUMBER, "", 1, 64, true, 2, NULL,
           "banks of local memory, a word wide")
CONFIG_KEY(local, local_in_cache, BOOL, "", 0, 1, false, 1, NULL,
           "local memory goes through the L1D, as the measured port has it")
CONFIG_KEY(cta, one_group, BOOL, "", 0, 1, false, 1, NULL,
           "one workgroup at a time")
CONFIG_KEY(cta, launch_cycles, NUMBER, "cycles", 0, 65535, false, 27, NULL,
           "request of a workgroup to its first fetch")
CONFIG_KEY(cta, dispatch_cycles, NUMBER, "cycles", 0, 65535, false, 2, NULL,
           "from one warp to the next")
CONFIG_KEY(cta, done_cycles, NUMBER, "cycles", 0, 65535, false, 13, NULL,
           "last warp to the flush of the L1D")
CONFIG_KEY(cta, reply_cycles, NUMBER, "cycles", 0, 65535, false, 0, NULL,
           "flush of the L2 to the answer to the host")
CONFIG_KEY(cta, next_cycles, NUMBER, "cycles", 0, 65535, false, 1, NULL,
           "answer to the request of the next workgroup")
CONFIG_KEY(run, deadlock, NUMBER, "cycles", 1000, UINT64_MAX, false, 1000000, NULL,
           "a warp that waits so long is asked whether it waits in vain")
