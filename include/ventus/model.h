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
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

struct ventus_model;

/* Replacement policies of the ways of a set; src/model/memory/replacement.c. */
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

/* Policies by which one of the ready warps issues; src/model/pipeline/schedule.c. */
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

/* Values of the key ideal_access: how accesses with scattered lanes are simulated, to
 * bound the gain of a change of the kernel (docs/model.md). */
enum ventus_model_ideal_access {
    VENTUS_MODEL_ACCESS_REAL,
    VENTUS_MODEL_ACCESS_LINES, /* the lanes' bytes are contiguous */
    VENTUS_MODEL_ACCESS_LOCAL  /* and the accesses use local memory */
};

/* Sizes and times of the hardware; docs/model.md explains each. */
struct ventus_model_config {
    unsigned issue_width; /* 1, or 2: a scalar and a vector instruction */
    enum ventus_model_scheduler scheduler;
    unsigned inner_warps;    /* warps of the inner level of two_level */
    unsigned crossbar;       /* operands per cycle to the collectors */
    unsigned ibuffer;        /* fetched pairs a warp holds */
    unsigned collectors;     /* operand collectors of an SM */
    unsigned collect_cycles; /* issue to the first request for operands */
    unsigned banks;          /* banks of each register file */
    unsigned arbiters_begin; /* input that round-robin arbiters prefer first */
    unsigned lsu_per_warp, lsu_entries;
    unsigned unit_lanes; /* lanes of vALU, MUL and FPU; 0: a warp's */
    unsigned fpu_cycles, fpu_add_cycles, fpu_short_cycles, mul_cycles;
    unsigned sfu_fp_cycles, sfu_int_cycles, sfu_lanes, tensor_cycles;
    unsigned sfu_normal_cycles; /* added for a subnormal operand */
    unsigned branch_queue;      /* branches that the sALU holds */
    struct ventus_model_cache icache, dcache, l2;
    unsigned write_entries;         /* writes of an L1D in flight */
    unsigned dcache_request_cycles; /* LSU to tags */
    /* From the L1D to the L2. */
    unsigned dcache_queue, dcache_queue_room, dcache_queue_cycles;
    bool dcache_newest_first;      /* order of loads that wait for one line */
    unsigned dcache_answer_cycles; /* through the queue of answers of the L1D */
    unsigned tlb_entries; /* per SM, for data; 0: translation takes no time */
    unsigned fetch_tlb_entries; /* per SM, for instructions */
    /* Shared by all SMs. */
    unsigned l2_tlb_entries, l2_tlb_cycles, page_walkers;
    enum ventus_model_replacement tlb_replacement; /* policy of all TLBs */
    unsigned bus_queue, bus_request_cycles, bus_reply_cycles; /* SMs to L2 */
    unsigned l2_hit_cycles;   /* directory to answer */
    unsigned l2_write_cycles; /* write buffer to memory */
    unsigned memory_cycles, memory_requests;
    unsigned memory_stages; /* registers before memory, and after it */
    unsigned memory_jitter; /* a request takes up to this many extra cycles */
    /* Seed of memory_jitter, VENTUS_MODEL_RANDOM and VENTUS_MODEL_REPLACE_RANDOM. */
    uint64_t seed;
    bool dram; /* src/model/memory/dram.c in place of a fixed latency */
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
    /* The L2's walk at the end of a workgroup, and cycles per line. */
    unsigned flush_cycles;
    unsigned flush_hints; /* walks that an L1D requests per workgroup */
    bool rcc;             /* L1Ds hold their own data; src/model/memory/rcc.c */
    bool l2_hits;         /* false: the measured port, which always misses */
    bool local_in_cache;  /* local memory goes through the L1D */
    bool icache_bypass;   /* a read sees the line that is being written */
    bool icache_emptied;  /* false: RTL reference, which keeps late lines */
    bool fpu_pipes;       /* src/model/pipeline/fpu.h in place of one queue */
    bool fpu_repeats;     /* RTL reference: a sum may be written twice */
    /* false: RTL reference, which takes the lines of the warp that the LSU served
     * before. */
    bool private_by_warp;
    /* false: RTL reference, whose waiting requests lose their tags to an arriving
     * line. */
    bool dcache_keeps_tags;
    enum ventus_model_fill dcache_fill_holds;
    /* A line that would replace a dirty one is dropped: the dirty one is written to the
     * L2 and stays. */
    bool dcache_dirty_stays;
    bool dcache_fill_waits; /* an arriving line waits while a miss is noted */
    bool rtl_faults;    /* faults of the RTL that stop valid kernels remain */
    bool sfu_idle_ones; /* inactive lanes divide 1 by 1 */
    /* A join and the SIMT stack reach the warp scheduler at once; else a cycle later. */
    bool branch_flows;
    /* The register after the pairs is refilled as its last instruction issues. */
    bool ibuffer_overlaps;
    bool tensor_pipelined; /* a matrix product per cycle */
    /* An entry of the LSU's table is read in a cycle of its own. */
    bool lsu_table_reads;
    bool fence_alu; /* a fence is an instruction of the sALU, unless rcc */
    /* false: RTL reference, where barriers order no accesses. */
    bool barrier_waits;
    /* A flush reaches the tags when the L1D awaits no line. */
    bool flush_after_loads;
    /* false: RTL reference, whose queue discards 32 flushes when more arrive than it
     * holds. */
    bool flush_waits;
    bool flush_count_rests; /* later walks take one more turn of the counter */
    bool flush_behind;      /* a workgroup is done before its flush */
    bool one_group;         /* one workgroup at a time */
    /* Cycles between two checks for warps that wait in vain. */
    uint64_t deadlock;
    /* The ideal_* keys each remove one cause of waits, which no hardware can, to bound
     * the gain of a change of the kernel (docs/model.md). */
    bool ideal_walks, ideal_banks, ideal_private, ideal_atomics;
    enum ventus_model_ideal_access ideal_access;
};

/* Reasons why an SM that has warps issues nothing in a cycle. */
enum ventus_model_stall {
    VENTUS_MODEL_ISSUED,
    VENTUS_MODEL_NO_WARP, /* no warp is resident: launch and drain */
    VENTUS_MODEL_FETCH,   /* no instruction is there: I-cache, ibuffer */
    VENTUS_MODEL_BRANCH,  /* a branch is not resolved */
    VENTUS_MODEL_COLLECT, /* the previous instruction collects its operands */
    VENTUS_MODEL_DEPEND_LSU, /* a load is not complete */
    VENTUS_MODEL_DEPEND,     /* another result is not complete */
    VENTUS_MODEL_BARRIER,
    VENTUS_MODEL_PASSED, /* ready, but not for this port, or not yet selected */
    VENTUS_MODEL_STALLS
};

extern const char *const ventus_model_stall_names[VENTUS_MODEL_STALLS];

/* Counters, kept for each SM; resources that SMs share are counted for the machine
 * only. */
struct ventus_model_stats {
    uint64_t cycles, issued, slots, workgroups;
    /* Vector instructions, and their active lanes. */
    uint64_t vector_issued, vector_lanes;
    /* Lane operations of vALU, MUL, FPU, SFU: for rooflines. */
    uint64_t lane_operations;
    /* Issue slots by reason, SMs times cycles in all. */
    uint64_t stall[VENTUS_MODEL_STALLS];
    uint64_t warp_cycles; /* resident warps, summed over cycles */
    uint64_t by_unit[VENTUS_ISA_UNIT_COUNT];
    uint64_t icache_hits, icache_misses; /* replays are counted */
    uint64_t read_hits, read_misses, write_hits, write_misses;
    uint64_t mshr_full;     /* cycles in which full MSHRs blocked the L1D */
    uint64_t cache_flushes; /* flushes by fences, aq and rl */
    uint64_t refetches;     /* lines older than the address of a load */
    uint64_t lsu_requests, lsu_instructions;
    /* Operands times cycles in which their register bank served another operand; in
     * which the bank served them, but others had the crossbar. */
    uint64_t bank_conflicts, crossbar_waits;
    uint64_t local_accesses, local_passes; /* passes: rounds of all requests */
    /* Extra cycles due to bank conflicts. */
    uint64_t local_requests, local_conflicts;
    uint64_t l2_gets, l2_puts, l2_hits;
    /* Cycles in which the L2 accepted nothing: ends of workgroups. */
    uint64_t l2_walks;
    uint64_t memory_reads, memory_writes, memory_B, memory_busy;
    uint64_t tlb_hits, tlb_misses;
    uint64_t fetch_tlb_hits, fetch_tlb_misses;
    uint64_t l2_tlb_hits, l2_tlb_misses, page_walks;
    uint64_t row_hits, row_misses;
    uint64_t dram_bus_busy; /* cycles with data, over all channels */
};

/* A counter by name: a uint64_t at an offset of struct ventus_model_stats. */
struct ventus_model_counter {
    const char *name;
    size_t offset;
};

/* All counters in order; an entry without a name ends the list. */
extern const struct ventus_model_counter ventus_model_counters[];

enum ventus_model_event_kind {
    VENTUS_MODEL_EVENT_GROUP, /* the host gave a workgroup: group; no SM yet */
    /* A warp of a workgroup enters a slot: group, number. */
    VENTUS_MODEL_EVENT_WARP,
    VENTUS_MODEL_EVENT_WARP_END, /* a warp ended */
    /* A fetched pair is in the buffer: pc, number: which. */
    VENTUS_MODEL_EVENT_FETCHED,
    VENTUS_MODEL_EVENT_FLUSHED, /* the warp's buffer was emptied */
    VENTUS_MODEL_EVENT_WAIT,    /* the reason of a wait changes: why, pc */
    VENTUS_MODEL_EVENT_ISSUED,  /* an instruction issues: id, pc, step */
    /* A unit took an instruction and its operands: id. */
    VENTUS_MODEL_EVENT_STARTED,
    VENTUS_MODEL_EVENT_DONE, /* a result is written: id */
    VENTUS_MODEL_EVENT_SLOT, /* each issue slot: why, pc, warp; number: port */
    VENTUS_MODEL_EVENT_ACCESS, /* a load or store entered the LSU's table: id */
    /* A request to memory: address, write; number: in flight. */
    VENTUS_MODEL_EVENT_REQUEST,
    VENTUS_MODEL_EVENT_ANSWER,    /* an answer of memory: number: in flight */
    VENTUS_MODEL_EVENT_GROUP_END, /* a workgroup was reported done: group */
    /* All workgroups are done: the launch is over. */
    VENTUS_MODEL_EVENT_KERNEL_END
};

/* An event of the machine.  Members that a kind does not name are 0. */
struct ventus_model_event {
    enum ventus_model_event_kind kind;
    uint64_t cycle; /* cycles since the launch began */
    unsigned sm, warp;
    uint64_t id; /* number of an instruction of the SM, in order of issue */
    uint32_t pc;
    enum ventus_model_stall why;
    unsigned unit; /* enum ventus_isa_unit of the instruction */
    uint64_t group;
    unsigned number;
    uint64_t address; /* address of the requested line */
    bool write;
    const struct ventus_sim_step *step;
};

/* Hooks of a launch, called in the order of cycles, on the thread of the launch. */
struct ventus_model_hooks {
    void *ctx;
    /* Called at every event; slow. */
    void (*event)(void *ctx, const struct ventus_model_event *event);
    /* Called when an instruction leaves the issue stage. */
    void (*issue)(void *ctx, uint64_t cycle, unsigned sm, unsigned warp,
                  const struct ventus_sim_step *step);
};

/* Sets the parameters of the measured RTL reference; docs/model.md. */
void
ventus_model_defaults(struct ventus_model_config *c);

/* Creates a machine.  NULL, and a message that names the key in `text`, if the
 * configuration is impossible. */
struct ventus_model *
ventus_model_create(const struct ventus_sim_config *machine,
                    const struct ventus_model_config *c, char *text,
                    size_t size);

void
ventus_model_destroy(struct ventus_model *m);

/* The functional machine inside, whose memory kernels access. */
struct ventus_sim *
ventus_model_sim(struct ventus_model *m);

/* The peak bandwidth between the L2 and external memory in bytes per cycle. */
double
ventus_model_peak(const struct ventus_model *m);

/* The counts of an SM in the last launch. */
const struct ventus_model_stats *
ventus_model_sm_stats(const struct ventus_model *m, unsigned sm);

/* Runs a grid and adds its counts to *stats.  False: *fault says why. */
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
