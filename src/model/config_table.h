/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every setting of the cycle-level machine: the one table of its keys, limits
 * and defaults, included once for each thing made of it:
 * MODEL_KEY(section, name, member of struct ventus_model_config, type, unit,
 * min, max,
 *           power of two, default, choices, meaning)
 */
/* clang-format off */

/* The values of enum ventus_model_replacement in their order, and the last one. */
#define MODEL_REPLACEMENT_NAMES "lru fifo random tree-plru srrip mru lfsr"
#define MODEL_REPLACEMENT_LAST  VENTUS_MODEL_REPLACE_LFSR

MODEL_KEY(pipeline, issue_width, issue_width, NUMBER, "", 1, 2, false, 1, NULL,
          "instructions a cycle; 2: one scalar and one other")
MODEL_KEY(pipeline, scheduler, scheduler, CHOICE, "", 0, 5, false, 0,
          "rr fixed lrr gto two_level random",
          "which of the ready warps issues")
MODEL_KEY(pipeline, inner_warps, inner_warps, NUMBER, "warps", 1, 64, false, 8, NULL,
          "warps of the inner level of scheduler = two_level")
MODEL_KEY(pipeline, crossbar, crossbar, NUMBER, "operands", 1, 128, false, 1, NULL,
          "operands that the crossbar passes in a cycle")
MODEL_KEY(pipeline, ibuffer, ibuffer, NUMBER, "pairs", 1, 8, false, 2, NULL,
          "fetched pairs of instructions a warp holds")
MODEL_KEY(pipeline, ibuffer_overlaps, ibuffer_overlaps, BOOL, "", 0, 1, false, 0, NULL,
          "the register after the pairs is refilled as its last instruction issues")
MODEL_KEY(pipeline, collectors, collectors, NUMBER, "", 0, 64, false, 0, NULL,
          "operand collectors of an SM; 0: one for each warp")
MODEL_KEY(pipeline, collect_cycles, collect_cycles, NUMBER, "cycles", 0, 1, false, 1, NULL,
          "from issue to the first request for an operand")
MODEL_KEY(pipeline, banks, banks, NUMBER, "", 1, 32, false, 4, NULL,
          "banks of each register file")
MODEL_KEY(pipeline, arbiters_begin, arbiters_begin, NUMBER, "", 0, 1, false, 0, NULL,
          "input that the round-robin arbiters prefer before their first grant: their lastGrant, "
          "which no reset sets, is the last input (0) or input 0 (1)")
MODEL_KEY(pipeline, lsu_per_warp, lsu_per_warp, NUMBER, "", 1, 255, false, 4, NULL,
          "outstanding loads and stores of a warp")
MODEL_KEY(pipeline, private_by_warp, private_by_warp, BOOL, "", 0, 1, false, 0, NULL,
          "private lines are the warp's own; the RTL takes another warp's")
MODEL_KEY(pipeline, fence_alu, fence_alu, BOOL, "", 0, 1, false, 0, NULL,
          "with coherence = none a fence passes the sALU; else the LSU, as with rcc")
MODEL_KEY(pipeline, barrier_waits, barrier_waits, BOOL, "", 0, 1, false, 0, NULL,
          "a warp reaches a barrier when the accesses that it names are complete")
MODEL_KEY(pipeline, lsu_entries, lsu_entries, NUMBER, "", 1, 64, false, 8, NULL,
          "outstanding loads and stores of an SM")
MODEL_KEY(pipeline, lsu_table_reads, lsu_table_reads, BOOL, "", 0, 1, false, 1, NULL,
          "the LSU reads its table a cycle before it gives a result")
MODEL_KEY(units, unit_lanes, unit_lanes, NUMBER, "lanes", 0, 64, false, 0, NULL,
          "lanes of the vALU, MUL and FPU: a vector takes passes; 0: all")
MODEL_KEY(units, fpu_cycles, fpu_cycles, NUMBER, "cycles", 1, 32, false, 5, NULL,
          "latency of a fused multiply-add")
MODEL_KEY(units, fpu_add_cycles, fpu_add_cycles, NUMBER, "cycles", 1, 32, false, 3, NULL,
          "latency of an addition or a product")
MODEL_KEY(units, fpu_short_cycles, fpu_short_cycles, NUMBER, "cycles", 1, 32, false, 2, NULL,
          "latency of the other operations of the FPU")
MODEL_KEY(units, mul_cycles, mul_cycles, NUMBER, "cycles", 1, 32, false, 3, NULL,
          "latency of integer products")
MODEL_KEY(units, sfu_fp_cycles, sfu_fp_cycles, NUMBER, "cycles", 1, 223, false, 11, NULL,
          "division and square root, for a group of lanes")
MODEL_KEY(units, sfu_int_cycles, sfu_int_cycles, NUMBER, "cycles", 3, 191, false, 4, NULL,
          "of a group of lanes of an integer division, besides a cycle for "
          "each bit of the quotient")
MODEL_KEY(units, sfu_normal_cycles, sfu_normal_cycles, NUMBER, "cycles", 0, 32, false, 0, NULL,
          "that a division or root of floats takes longer if an operand is subnormal")
MODEL_KEY(units, sfu_lanes, sfu_lanes, NUMBER, "lanes", 0, 31, false, 0, NULL,
          "lanes of a group; 0: a quarter of a warp")
MODEL_KEY(units, tensor_cycles, tensor_cycles, NUMBER, "cycles", 0, 32, false, 8, NULL,
          "latency of a matrix product; 0: 6, and two for each halving of the sum that an "
          "element is")
MODEL_KEY(units, sfu_idle_ones, sfu_idle_ones, BOOL, "", 0, 1, false, 0, NULL,
          "lanes that are not active divide 1 by 1; else what is in their registers")
MODEL_KEY(units, branch_flows, branch_flows, BOOL, "", 0, 1, false, 0, NULL,
          "a join and what the SIMT stack knows go to the warp scheduler at once; else "
          "a cycle later each")
MODEL_KEY(units, branch_queue, branch_queue, NUMBER, "branches", 1, 8, false, 2, NULL,
          "of the sALU that wait for the warp scheduler")
MODEL_KEY(units, tensor_pipelined, tensor_pipelined, BOOL, "", 0, 1, false, 0, NULL,
          "a matrix product begins each cycle; else one after the other")
MODEL_KEY(units, fpu_repeats, fpu_repeats, BOOL, "", 0, 1, false, 1, NULL,
          "a sum that collides with a result of the ALU is written twice")
MODEL_KEY(units, fpu_pipes, fpu_pipes, BOOL, "", 0, 1, false, 0, NULL,
          "multiplier, adder, comparisons and conversions stall one by one, and have the "
          "Chisel design's latencies (fused 5, sum and product 3, others 2); else one queue. "
          "One queue, too, if unit_lanes are fewer than a warp's lanes")
MODEL_KEY(icache, icache_sets, icache.sets, NUMBER, "", 1, 65536, true, 32, NULL,
          "sets of an L1I")
MODEL_KEY(icache, icache_ways, icache.ways, NUMBER, "", 1, 64, false, 2, NULL,
          "ways of an L1I")
MODEL_KEY(icache, icache_replacement, icache.replacement, CHOICE, "", 0, MODEL_REPLACEMENT_LAST, false, 0,
          MODEL_REPLACEMENT_NAMES,
          "which way of a set is replaced")
MODEL_KEY(icache, icache_line, icache.line_B, NUMBER, "bytes", 8, 256, true, 8, NULL,
          "line of an L1I; of all caches the same")
MODEL_KEY(icache, icache_mshrs, icache.mshrs, NUMBER, "", 1, 16, false, 4, NULL,
          "outstanding misses of an L1I")
MODEL_KEY(icache, icache_subentries, icache.subentries, NUMBER, "", 0, 15, false, 0, NULL,
          "requests for a line under way that its MSHR notes, one of which is given back a cycle; "
          "0: none is noted")
MODEL_KEY(icache, icache_bypass, icache_bypass, BOOL, "", 0, 1, false, 1, NULL,
          "a read of the set in which a line is written sees the line, in all ways; else the way "
          "that is written misses")
MODEL_KEY(icache, icache_emptied, icache_emptied, BOOL, "", 0, 1, false, 0, NULL,
          "invalidated after a workgroup; in the RTL lines that arrive then stay")
MODEL_KEY(dcache, dcache_sets, dcache.sets, NUMBER, "", 1, 65536, true, 32, NULL,
          "sets of an L1D")
MODEL_KEY(dcache, dcache_ways, dcache.ways, NUMBER, "", 1, 64, false, 2, NULL,
          "ways of an L1D")
MODEL_KEY(dcache, dcache_replacement, dcache.replacement, CHOICE, "", 0, MODEL_REPLACEMENT_LAST, false, 0,
          MODEL_REPLACEMENT_NAMES,
          "which way of a set is replaced")
MODEL_KEY(dcache, dcache_line, dcache.line_B, NUMBER, "bytes", 8, 256, true, 8, NULL,
          "line of an L1D")
MODEL_KEY(dcache, dcache_mshrs, dcache.mshrs, NUMBER, "", 1, 16, false, 4, NULL,
          "outstanding misses of an L1D")
MODEL_KEY(dcache, dcache_subentries, dcache.subentries, NUMBER, "", 1, 16, false, 2, NULL,
          "requests that wait for one line")
MODEL_KEY(dcache, dcache_request_cycles, dcache_request_cycles, NUMBER, "cycles", 0, 1, false, 1, NULL,
          "from the LSU to the tags; 0: it waits until the L1D takes the request")
MODEL_KEY(dcache, dcache_newest_first, dcache_newest_first, BOOL, "", 0, 1, false, 1, NULL,
          "of requests that wait for one line the last is answered first")
MODEL_KEY(dcache, dcache_answer_cycles, dcache_answer_cycles, NUMBER, "cycles", 1, 31, false, 2, NULL,
          "through the queue of answers to the LSU")
MODEL_KEY(dcache, dcache_queue, dcache_queue, NUMBER, "", 1, 32, false, 32, NULL,
          "requests of an L1D that wait for the bus")
MODEL_KEY(dcache, dcache_queue_room, dcache_queue_room, NUMBER, "", 0, 31, false, 5, NULL,
          "free places of that queue with which the L1D takes requests")
MODEL_KEY(dcache, dcache_queue_cycles, dcache_queue_cycles, NUMBER, "cycles", 1, 31, false, 2, NULL,
          "through that queue")
MODEL_KEY(dcache, dcache_keeps_tags, dcache_keeps_tags, BOOL, "", 0, 1, false, 0, NULL,
          "a request that waits keeps the tags it read; the RTL reads others")
MODEL_KEY(dcache, dcache_fill_holds, dcache_fill_holds, CHOICE, "", 0, 2, false, 0,
          "arrays tags releases",
          "requests wait while a line enters tags and data, two cycles; the tags, one; or until "
          "all that waited for it have left the MSHR")
MODEL_KEY(dcache, dcache_dirty_stays, dcache_dirty_stays, BOOL, "", 0, 1, false, 0, NULL,
          "a line that would replace a dirty one takes no place: that is written, and stays")
MODEL_KEY(dcache, dcache_fill_waits, dcache_fill_waits, BOOL, "", 0, 1, false, 1, NULL,
          "a line that comes waits while a load that misses is noted")
MODEL_KEY(dcache, flush_waits, flush_waits, BOOL, "", 0, 1, false, 0, NULL,
          "dirty lines wait for room in the queue; the RTL's drops 32")
MODEL_KEY(dcache, flush_after_loads, flush_after_loads, BOOL, "", 0, 1, false, 0, NULL,
          "with flush_behind a flush comes to the tags when no line is awaited; else it leaves "
          "them then")
MODEL_KEY(dcache, coherence, rcc, CHOICE, "", 0, 1, false, 0, "none rcc",
          "rcc: L1Ds hold their own data; fences, aq and rl flush and empty them")
MODEL_KEY(dcache, write_entries, write_entries, NUMBER, "", 1, 16, false, 4, NULL,
          "stores of an L1D on their way to the L2")
MODEL_KEY(l2, l2_sets, l2.sets, NUMBER, "", 1, 65536, true, 2, NULL,
          "sets of the L2")
MODEL_KEY(l2, l2_ways, l2.ways, NUMBER, "", 1, 64, false, 4, NULL,
          "ways of the L2")
MODEL_KEY(l2, l2_replacement, l2.replacement, CHOICE, "", 0, MODEL_REPLACEMENT_LAST, false, 0,
          MODEL_REPLACEMENT_NAMES,
          "which way of a set is replaced")
MODEL_KEY(l2, l2_line, l2.line_B, NUMBER, "bytes", 8, 256, true, 8, NULL,
          "line of the L2")
MODEL_KEY(l2, l2_mshrs, l2.mshrs, NUMBER, "", 1, 64, false, 4, NULL,
          "requests in the L2")
MODEL_KEY(l2, l2_hits, l2_hits, BOOL, "", 0, 1, false, 0, NULL,
          "the L2 hits; the measured RTL never does")
MODEL_KEY(l2, l2_write_cycles, l2_write_cycles, NUMBER, "cycles", 0, 31, false, 2, NULL,
          "from the L2's write buffer to memory")
MODEL_KEY(l2, flush_cycles, flush_cycles, NUMBER, "cycles", 0, 65535, false, 10, NULL,
          "of a walk of the L2 at the end of a workgroup, besides a cycle for each line")
MODEL_KEY(l2, flush_count_rests, flush_count_rests, BOOL, "", 0, 1, false, 0, NULL,
          "the walk's counter has a bit too many: later walks take a second turn")
MODEL_KEY(l2, flush_hints, flush_hints, NUMBER, "", 1, 8, false, 1, NULL,
          "walks that an L1D asks for at the end of a workgroup")
MODEL_KEY(tlb, tlb_entries, tlb_entries, NUMBER, "pages", 0, 4096, false, 0, NULL,
          "TLB of an SM, for data; 0: translation takes no time")
MODEL_KEY(tlb, fetch_tlb_entries, fetch_tlb_entries, NUMBER, "pages", 0, 4096, false, 0, NULL,
          "TLB of an SM, for instructions; 0: translation takes no time")
MODEL_KEY(tlb, l2_tlb_entries, l2_tlb_entries, NUMBER, "pages", 1, 65536, false, 512, NULL,
          "TLB that all SMs share")
MODEL_KEY(tlb, tlb_replacement, tlb_replacement, CHOICE, "", 0, MODEL_REPLACEMENT_LAST, false, 0,
          MODEL_REPLACEMENT_NAMES,
          "which page of a TLB is replaced")
MODEL_KEY(tlb, l2_tlb_cycles, l2_tlb_cycles, NUMBER, "cycles", 1, 65535, false, 8, NULL,
          "latency of the shared TLB")
MODEL_KEY(tlb, page_walkers, page_walkers, NUMBER, "", 1, 1024, false, 1, NULL,
          "concurrent page walks, three reads through the L2 each")
MODEL_KEY(l2, l2_hit_cycles, l2_hit_cycles, NUMBER, "cycles", 1, 32, false, 2, NULL,
          "from the directory of the L2 to the answer, if it has the line")
MODEL_KEY(l2, bus_queue, bus_queue, NUMBER, "", 1, 32, false, 2, NULL,
          "requests that wait before the L2")
MODEL_KEY(l2, bus_request_cycles, bus_request_cycles, NUMBER, "cycles", 1, 31, false, 1, NULL,
          "from an SM to the L2")
MODEL_KEY(l2, bus_reply_cycles, bus_reply_cycles, NUMBER, "cycles", 1, 31, false, 1, NULL,
          "from the L2 to an SM")
MODEL_KEY(dram, memory_cycles, memory_cycles, NUMBER, "cycles", 1, 1 << 30, false, 1, NULL,
          "latency of external memory")
MODEL_KEY(dram, memory_jitter, memory_jitter, NUMBER, "cycles", 0, 65535, false, 0, NULL,
          "with memory = fixed a request takes up to so many more, by seed")
MODEL_KEY(dram, memory_requests, memory_requests, NUMBER, "", 1, 64, false, 1, NULL,
          "outstanding requests to external memory")
MODEL_KEY(dram, memory_stages, memory_stages, NUMBER, "cycles", 0, 8, false, 0, NULL,
          "registers on the way to memory, and as many on the way back")
MODEL_KEY(dram, memory, dram, CHOICE, "", 0, 1, false, 0, "fixed dram",
          "fixed: every request takes memory_cycles; dram: rows and banks")
MODEL_KEY(dram, dram_order, dram_in_order, CHOICE, "", 0, 1, false, 0, "fr_fcfs in_order",
          "fr_fcfs: requests to an open row go first")
MODEL_KEY(dram, dram_channels, dram_channels, NUMBER, "", 1, 16, true, 1, NULL,
          "channels of DRAM, neighbouring lines in turn")
MODEL_KEY(dram, dram_banks, dram_banks, NUMBER, "", 1, 64, true, 8, NULL,
          "banks of a channel, a row open in each")
MODEL_KEY(dram, dram_row, dram_row_B, SIZE, "bytes", 256, 1 << 20, true, 2048, NULL,
          "row of a bank")
MODEL_KEY(dram, dram_trcd, dram_trcd, NUMBER, "cycles", 0, 255, false, 14, NULL,
          "time to open a row")
MODEL_KEY(dram, dram_trp, dram_trp, NUMBER, "cycles", 0, 255, false, 14, NULL,
          "time to close a row")
MODEL_KEY(dram, dram_tcas, dram_tcas, NUMBER, "cycles", 1, 255, false, 14, NULL,
          "from the column command to its data")
MODEL_KEY(dram, dram_tburst, dram_tburst, NUMBER, "cycles", 1, 255, false, 4, NULL,
          "transfer of a line on the data bus")
MODEL_KEY(local, local_cycles, local_cycles, NUMBER, "cycles", 1, 32, false, 3, NULL,
          "latency of local memory")
MODEL_KEY(local, local_banks, local_banks, NUMBER, "", 0, 64, true, 2, NULL,
          "banks of local memory, a word wide; 0: one for each lane of a warp")
MODEL_KEY(local, local_answers, local_answers, NUMBER, "", 1, 8, false, 1, NULL,
          "answers that wait with which local memory takes no request")
MODEL_KEY(local, local_store_cycles, local_store_cycles, NUMBER, "cycles", 1, 8, false, 2, NULL,
          "from a request to its store in the array, when no other is taken")
MODEL_KEY(local, local_conflict_cycles, local_conflict_cycles, NUMBER, "cycles", 0, 1, false, 1, NULL,
          "after the last round of a bank conflict in which it takes nothing")
MODEL_KEY(local, local_in_cache, local_in_cache, BOOL, "", 0, 1, false, 1, NULL,
          "local memory goes through the L1D, as in the measured RTL")
MODEL_KEY(cta, one_group, one_group, BOOL, "", 0, 1, false, 1, NULL,
          "one workgroup at a time")
MODEL_KEY(cta, flush_behind, flush_behind, BOOL, "", 0, 1, false, 0, NULL,
          "a workgroup is done before its caches are flushed, and others run on; "
          "needs wg_buffer or one_group = no")
MODEL_KEY(cta, wg_buffer, wg_buffer, NUMBER, "workgroups", 0, 32, false, 0, NULL,
          "buffer between host and CTA scheduler, needs flush_behind; 0: it asks "
          "when an SM has room")
MODEL_KEY(cta, table_sms, table_sms, NUMBER, "SMs", 1, 64, false, 1, NULL,
          "SMs of which one handler keeps the resource tables, one after the other; with wg_buffer")
MODEL_KEY(cta, launch_cycles, launch_cycles, NUMBER, "cycles", 0, 65535, false, 27, NULL,
          "request of a workgroup to its first fetch")
MODEL_KEY(cta, dispatch_cycles, dispatch_cycles, NUMBER, "cycles", 0, 65535, false, 2, NULL,
          "from one warp to the next")
MODEL_KEY(cta, done_cycles, done_cycles, NUMBER, "cycles", 0, 65535, false, 13, NULL,
          "last warp to the flush of the L1D")
MODEL_KEY(cta, reply_cycles, reply_cycles, NUMBER, "cycles", 0, 65535, false, 0, NULL,
          "flush of the L2 to the answer to the host")
MODEL_KEY(cta, next_cycles, next_cycles, NUMBER, "cycles", 0, 65535, false, 1, NULL,
          "answer to the request of the next workgroup")
MODEL_KEY(cta, reset_cycles, reset_cycles, NUMBER, "cycles", 0, 65535, false, 0, NULL,
          "end of reset to the first launch, while L1D and L2 clear a set a cycle; "
          "0: long ago")
MODEL_KEY(run, faults, rtl_faults, CHOICE, "", 0, 1, false, 0, "mended rtl",
          "rtl: as the design, a valid kernel may not end; mended: it ends")
MODEL_KEY(run, deadlock, deadlock, NUMBER, "cycles", 100, UINT64_MAX, false, 1000000, NULL,
          "interval of the check for deadlocks")
MODEL_KEY(run, seed, seed, NUMBER, "", 0, UINT64_MAX, false, 0, NULL,
          "of scheduler and replacement = random and memory_jitter: same seed, "
          "same cycles")
MODEL_KEY(ideal, ideal_walks, ideal_walks, BOOL, "", 0, 1, false, 0, NULL,
          "no hardware: the end of a workgroup closes the L2 for no time, and it keeps its lines")
MODEL_KEY(ideal, ideal_access, ideal_access, CHOICE, "", 0, 2, false, 0, "no lines local",
          "no hardware: an access of scattered lanes takes the lines that its bytes fill; local: "
          "and a row and a column of local memory")
MODEL_KEY(ideal, ideal_banks, ideal_banks, BOOL, "", 0, 1, false, 0, NULL,
          "no hardware: an access of local memory takes the fewest passes for its bytes")
MODEL_KEY(ideal, ideal_private, ideal_private, BOOL, "", 0, 1, false, 0, NULL,
          "no hardware: private memory is as fast as local memory")
MODEL_KEY(ideal, ideal_atomics, ideal_atomics, BOOL, "", 0, 1, false, 0, NULL,
          "no hardware: an atomic does its work and asks no memory")
