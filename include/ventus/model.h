/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cycle-level machine: runs kernels as <ventus/sim.h> does, and counts the
 * cycles that the hardware would take, with their causes.
 *
 *     struct ventus_model *m =
 *         ventus_model_create(&sim_config, &model_config, text, size);
 *     ventus_sim_map(ventus_model_sim(m), ...);  ventus_sim_write(...);
 *     struct ventus_model_stats stats = { 0 };
 *     struct ventus_sim_fault fault;
 *     if (ventus_model_launch(m, &launch, NULL, &stats, &fault))
 *         printf("%llu cycles\n", (unsigned long long)stats.cycles);
 *     ventus_model_destroy(m);
 *
 * The functional machine computes the values: it executes an instruction when
 * the model issues it.  Memory belongs to ventus_model_sim().  The model
 * allocates in ventus_model_create and at the start of a launch, not while
 * cycles pass.  One thread at a time may use a model.  Same inputs give the
 * same cycles.
 *
 * Faults are those of the functional machine.  VENTUS_SIM_FAULT_STUCK is
 * reported, with the state of every warp, when no warp issues for `deadlock`
 * cycles, in which the L2 is not walked either; VENTUS_SIM_FAULT_DEADLOCK, when
 * the warps that issue return to the same state for ever while the others wait.
 */
#pragma once

#include <ventus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* exported, whatever -fvisibility is */
#pragma GCC visibility push(default)
#endif

struct ventus_model;

/* Which way of a set is replaced; src/model/replacement.c. */
enum ventus_model_replacement {
    VENTUS_MODEL_REPLACE_LRU,
    VENTUS_MODEL_REPLACE_FIFO,
    VENTUS_MODEL_REPLACE_RANDOM,
    VENTUS_MODEL_REPLACE_TREE_PLRU,
    VENTUS_MODEL_REPLACE_SRRIP,
    VENTUS_MODEL_REPLACE_MRU,
    VENTUS_MODEL_REPLACE_LFSR
};

struct ventus_model_cache {
    unsigned sets, ways, line_B, mshrs, subentries;
    enum ventus_model_replacement replacement;
};

/* Which of the ready warps issues; src/model/schedule.c. */
enum ventus_model_scheduler {
    VENTUS_MODEL_RR,
    VENTUS_MODEL_FIXED,
    VENTUS_MODEL_LRR,
    VENTUS_MODEL_GTO,
    VENTUS_MODEL_TWO_LEVEL,
    VENTUS_MODEL_RANDOM
};

/* How long a line that comes to an L1D holds up the requests before the tags. */
enum ventus_model_fill {
    VENTUS_MODEL_FILL_ARRAYS, /* while it enters tags and data, two cycles */
    VENTUS_MODEL_FILL_TAGS,   /* while it enters the tags, one cycle */
    VENTUS_MODEL_FILL_RELEASES /* until all that waited for it have left the MSHR */
};

/* The key ideal_access: how accesses whose lanes are scattered are simulated, to bound what
 * a change of the kernel gains (docs/model.md). */
enum ventus_model_ideal_access {
    VENTUS_MODEL_ACCESS_REAL,
    VENTUS_MODEL_ACCESS_LINES, /* their bytes lie together */
    VENTUS_MODEL_ACCESS_LOCAL  /* and go through local memory */
};

/* The hardware's sizes and times; docs/model.md explains each. */
struct ventus_model_config {
    unsigned issue_width; /* 1, or 2: a scalar and a vector instruction */
    enum ventus_model_scheduler scheduler;
    unsigned inner_warps;    /* of two_level */
    unsigned crossbar;       /* operands a cycle to the collectors */
    unsigned ibuffer;        /* fetched pairs a warp holds */
    unsigned collectors;     /* operand collectors of an SM */
    unsigned collect_cycles; /* issue to the first request for operands */
    unsigned banks;          /* of each register file */
    unsigned arbiters_begin; /* input that round-robin arbiters prefer first */
    unsigned lsu_per_warp, lsu_entries;
    unsigned unit_lanes; /* of vALU, MUL and FPU; 0: a warp's */
    unsigned fpu_cycles, fpu_add_cycles, fpu_short_cycles, mul_cycles;
    unsigned sfu_fp_cycles, sfu_int_cycles, sfu_lanes, tensor_cycles;
    unsigned sfu_normal_cycles; /* for a subnormal operand */
    unsigned branch_queue;      /* branches that the sALU holds */
    struct ventus_model_cache icache, dcache, l2;
    unsigned write_entries;         /* writes of an L1D on their way */
    unsigned dcache_request_cycles; /* LSU to tags */
    unsigned dcache_queue, dcache_queue_room, dcache_queue_cycles; /* to L2 */
    bool dcache_newest_first;      /* of loads that wait for one line */
    unsigned dcache_answer_cycles; /* through its queue of answers */
    unsigned tlb_entries; /* of an SM, for data; 0: translation takes no time */
    unsigned fetch_tlb_entries; /* the same for instructions */
    unsigned l2_tlb_entries, l2_tlb_cycles, page_walkers;     /* shared */
    enum ventus_model_replacement tlb_replacement;            /* of all TLBs */
    unsigned bus_queue, bus_request_cycles, bus_reply_cycles; /* SMs to L2 */
    unsigned l2_hit_cycles;   /* directory to answer */
    unsigned l2_write_cycles; /* write buffer to memory */
    unsigned memory_cycles, memory_requests;
    unsigned memory_stages; /* registers before memory, and behind it */
    unsigned memory_jitter; /* a request takes up to so many cycles more */
    uint64_t seed;          /* of memory_jitter, VENTUS_MODEL_RANDOM and
                               VENTUS_MODEL_REPLACE_RANDOM */
    bool dram;              /* not a fixed latency but src/model/dram.c */
    bool dram_in_order;
    unsigned dram_channels, dram_banks, dram_row_B;
    unsigned dram_trcd, dram_trp, dram_tcas, dram_tburst;
    unsigned local_cycles;
    unsigned local_banks; /* 0: one for each lane of a warp */
    unsigned local_answers, local_store_cycles, local_conflict_cycles;
    unsigned launch_cycles, dispatch_cycles, done_cycles, reply_cycles;
    unsigned next_cycles;
    unsigned reset_cycles; /* end of reset to the first launch; 0: long ago */
    unsigned wg_buffer;    /* entries; 0: as in the RTL reference */
    unsigned table_sms;    /* SMs whose resource tables share a handler */
    unsigned flush_cycles; /* L2's walk at the end of a workgroup, and a cycle
                              for each line */
    unsigned flush_hints;  /* walks for a workgroup */
    bool rcc;              /* L1Ds hold their own data; src/model/rcc.c */
    bool l2_hits;          /* false: the measured port, which never hits */
    bool local_in_cache;   /* local memory goes through the L1D */
    bool icache_emptied;   /* false: RTL reference, late lines stay */
    bool fpu_pipes;        /* src/model/fpu.h in place of one queue */
    bool fpu_repeats;      /* RTL reference: a sum may be written twice */
    bool private_by_warp;  /* false: RTL reference, which takes the lines of the
                               warp that the LSU served before */
    bool dcache_keeps_tags; /* false: RTL reference, whose waiting requests lose
                               them to a line that comes */
    enum ventus_model_fill dcache_fill_holds;
    bool dcache_dirty_stays; /* a line that would replace a dirty one takes no
                                place: that is written, and stays */
    bool dcache_fill_waits;  /* a line that comes waits while a miss is noted */
    bool rtl_faults;         /* those that stop valid kernels are not mended */
    bool sfu_idle_ones;      /* lanes that are not active divide 1 by 1 */
    bool branch_flows;       /* what the SIMT stack knows goes on at once */
    bool ibuffer_overlaps; /* its register is refilled as its last one issues */
    bool tensor_pipelined; /* a matrix product a cycle */
    bool
        lsu_table_reads; /* an entry of the LSU's table in a cycle of its own */
    bool fence_alu;      /* a fence passes the sALU, if not rcc */
    bool barrier_waits;  /* false: RTL reference: they order nothing */
    bool flush_after_loads; /* it comes to the tags when no line is awaited */
    bool flush_waits;       /* false: the RTL reference, whose queue discards 32
                               when more leave than it holds */
    bool flush_count_rests; /* later walks take a turn of the counter more */
    bool flush_behind;      /* a workgroup is done before its flush */
    bool one_group;         /* a workgroup at a time */
    uint64_t deadlock;      /* cycles from one look for warps that wait in vain
                          to the next */
    /* The ideal_* keys each remove one cause of waits, which no hardware can, to bound what
     * a change of the kernel gains (docs/model.md). */
    bool ideal_walks, ideal_banks, ideal_private, ideal_atomics;
    enum ventus_model_ideal_access ideal_access;
};

/* Why an SM that has warps issues nothing in a cycle. */
enum ventus_model_stall {
    VENTUS_MODEL_ISSUED,
    VENTUS_MODEL_NO_WARP, /* none resident: launch and drain */
    VENTUS_MODEL_FETCH,   /* no instruction there: I-cache, ibuffer */
    VENTUS_MODEL_BRANCH,  /* a branch is not resolved */
    VENTUS_MODEL_COLLECT, /* the previous instruction collects its operands */
    VENTUS_MODEL_DEPEND_LSU, /* waits for a load */
    VENTUS_MODEL_DEPEND,     /* waits for another result */
    VENTUS_MODEL_BARRIER,
    VENTUS_MODEL_PASSED, /* ready, but not for this port, or not yet its turn */
    VENTUS_MODEL_STALLS
};

extern const char *const ventus_model_stall_names[VENTUS_MODEL_STALLS];

/* Counted for each SM; what SMs share is counted for the machine only. */
struct ventus_model_stats {
    uint64_t cycles, issued, slots, workgroups;
    uint64_t vector_issued, vector_lanes; /* with lanes that took part */
    uint64_t lane_operations; /* of vALU, MUL, FPU, SFU: for rooflines */
    uint64_t stall[VENTUS_MODEL_STALLS]; /* sums to slots: SMs times cycles */
    uint64_t warp_cycles; /* resident warps, summed over cycles */
    uint64_t by_unit[VENTUS_ISA_UNIT_COUNT];
    uint64_t icache_hits, icache_misses; /* replays count */
    uint64_t read_hits, read_misses, write_hits, write_misses;
    uint64_t mshr_full;     /* cycles in which it kept L1D from a request */
    uint64_t cache_flushes; /* by fences, aq and rl */
    uint64_t refetches;     /* lines older than the address of a load */
    uint64_t lsu_requests, lsu_instructions;
    /* Operands times the cycles in which their register bank served another;
     * in which it served them, but others had the crossbar. */
    uint64_t bank_conflicts, crossbar_waits;
    uint64_t local_accesses, local_passes; /* passes: rounds of all requests */
    uint64_t local_requests, local_conflicts; /* cycles that banks cost more */
    uint64_t l2_gets, l2_puts, l2_hits;
    uint64_t
        l2_walks; /* cycles in which the L2 took nothing: ends of workgroups */
    uint64_t memory_reads, memory_writes, memory_B, memory_busy;
    uint64_t tlb_hits, tlb_misses;
    uint64_t fetch_tlb_hits, fetch_tlb_misses;
    uint64_t l2_tlb_hits, l2_tlb_misses, page_walks;
    uint64_t row_hits, row_misses;
    uint64_t dram_bus_busy; /* cycles with data, of all channels */
};

/* A counter by name: a uint64_t at an offset of struct ventus_model_stats. */
struct ventus_model_counter {
    const char *name;
    size_t offset;
};

/* All of them, in order; one without a name is behind the last. */
extern const struct ventus_model_counter ventus_model_counters[];

enum ventus_model_event_kind {
    VENTUS_MODEL_EVENT_GROUP, /* the host gave a workgroup: group; no SM yet */
    VENTUS_MODEL_EVENT_WARP,  /* a warp of it, into a slot: group, number */
    VENTUS_MODEL_EVENT_WARP_END, /* it ended */
    VENTUS_MODEL_EVENT_FETCHED, /* a pair is in the buffer: pc, number: which */
    VENTUS_MODEL_EVENT_FLUSHED, /* the warp's buffer was emptied */
    VENTUS_MODEL_EVENT_WAIT,    /* what a warp waits for is another: why, pc */
    VENTUS_MODEL_EVENT_ISSUED,  /* id, pc, step */
    VENTUS_MODEL_EVENT_STARTED, /* operands are there, a unit took it: id */
    VENTUS_MODEL_EVENT_DONE,    /* its result is written: id */
    VENTUS_MODEL_EVENT_SLOT, /* every issue slot: why, pc, warp; number: port */
    VENTUS_MODEL_EVENT_ACCESS, /* a load or store entered the LSU's table: id */
    VENTUS_MODEL_EVENT_REQUEST, /* memory was asked: address, write; number: under
                             way */
    VENTUS_MODEL_EVENT_ANSWER,    /* memory answered: number: under way */
    VENTUS_MODEL_EVENT_GROUP_END, /* a workgroup was reported done: group */
    VENTUS_MODEL_EVENT_KERNEL_END /* all were, and the launch is over */
};

/* What happened.  Members that a kind does not name are 0. */
struct ventus_model_event {
    enum ventus_model_event_kind kind;
    uint64_t cycle; /* since the launch */
    unsigned sm, warp;
    uint64_t id; /* of an instruction of the SM, in order of issue */
    uint32_t pc;
    enum ventus_model_stall why;
    unsigned unit; /* enum ventus_isa_unit, of what was issued or started */
    uint64_t group;
    unsigned number;
    uint64_t address; /* of the line that memory was asked for */
    bool write;
    const struct ventus_sim_step *step;
};

/* Hooks of a launch, called in the order of cycles, on the thread of the launch. */
struct ventus_model_hooks {
    void *ctx;
    /* Whatever happens; slow. */
    void (*event)(void *ctx, const struct ventus_model_event *event);
    /* An instruction leaves the issue stage. */
    void (*issue)(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
                  const struct ventus_sim_step *step);
};

/* The measured RTL reference; docs/model.md. */
void
ventus_model_defaults(struct ventus_model_config *c);

/* NULL, and a message that names the key in `text`, if it cannot work. */
struct ventus_model *
ventus_model_create(const struct ventus_sim_config *machine,
                    const struct ventus_model_config *c, char *text,
                    size_t size);

void
ventus_model_destroy(struct ventus_model *m);

/* The functional machine inside, for memory. */
struct ventus_sim *
ventus_model_sim(struct ventus_model *m);

/* Bytes a cycle between the L2 and external memory at best. */
double
ventus_model_peak(const struct ventus_model *m);

/* What an SM counted in the last launch. */
const struct ventus_model_stats *
ventus_model_sm_stats(const struct ventus_model *m, unsigned sm);

/* Runs a grid; adds to *stats.  False: *fault says why not. */
bool
ventus_model_launch(struct ventus_model *m,
                    const struct ventus_sim_launch *launch,
                    const struct ventus_model_hooks *hooks,
                    struct ventus_model_stats *stats,
                    struct ventus_sim_fault *fault);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
