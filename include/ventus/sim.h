/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functional machine: runs Ventus kernels, exactly and fast, and models no time.
 *
 * A machine has device memory and streaming multiprocessors.  The driver maps
 * memory, writes a kernel and its buffers into it and launches a grid of
 * workgroups; the launch returns when all of them have ended, or with a fault:
 *
 *     struct ventus_sim_config config = { .num_thread = 32 };
 *     struct ventus_sim *sim = ventus_sim_create(&config, text, sizeof text);
 *     ventus_sim_map(sim, 0x80000000, 1 << 20,
 *                    VENTUS_SIM_READ | VENTUS_SIM_WRITE | VENTUS_SIM_EXEC);
 *     ventus_sim_write(sim, 0x80000000, code, code_size);
 *     struct ventus_sim_fault fault;
 *     struct ventus_sim_launch launch = { .pc = 0x80000000,
 *                                         .grid = { 64, 1, 1 }, .warps = 4 };
 *     if (!ventus_sim_launch(sim, &launch, &fault))
 *         puts(fault.text);
 *     ventus_sim_read(sim, address, result, size);
 *     ventus_sim_destroy(sim);
 *
 * Ownership: the machine owns all memory it maps, and reads the structs that it
 * is given during the call only.  Threads: one thread at a time may use a machine;
 * a launch itself distributes workgroups over config.host_threads threads.  The
 * results are the same for any number of them unless they depend on the order
 * of workgroups, by data races or by atomics; one thread gives one order.  The
 * machine allocates nothing while instructions run.
 *
 * A fault is a value, never the end of the host process: it names kind, place
 * and instruction and has a message.  The machine can be used afterwards;
 * memory is as the instructions before the fault left it.  If workgroups that
 * run at the same time fault, the one with the lowest number is reported.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/isa.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* exported, whatever -fvisibility is */
#pragma GCC visibility push(default)
#endif

struct ventus_sim;
struct ventus_sim_watch;

/* Sizes and switches; a member that is 0 has the default in brackets. */
struct ventus_sim_config {
    enum ventus_isa_version
        isa;               /* version of the specification [VENTUS_ISA_V1] */
    unsigned num_thread;   /* lanes of a warp, a power of two to 64 [32] */
    unsigned num_sm;       /* [2] */
    unsigned num_warp;     /* warp slots of an SM [32] */
    unsigned num_sgpr;     /* scalar registers of an SM [64 num_warp] */
    unsigned num_vgpr;     /* vector registers of an SM [256 num_warp] */
    uint32_t local_size_B; /* local memory of an SM [128 KiB] */
    unsigned stack_depth;  /* SIMT stack entries of a warp [2 num_thread] */
    unsigned host_threads; /* [one for each processor] */
    uint64_t max_instructions; /* of one warp, then a fault [no limit] */
    uint64_t max_ms;           /* wall clock of a launch [no limit] */

    bool all_lanes;       /* partial warps run all lanes, as upstream does */
    bool ignore_vm;       /* vm = 0 masks nothing: v0 is an ordinary register */
    bool scalar_amo;      /* atomics once a warp on x registers */
    bool vadd12_signed;   /* vadd12.vi, vsub12.vi: 0xfff is -1, not 4095 */
    bool round_robin;     /* one instruction a warp in turn, one host thread */
    bool barrier_repeats; /* round robin: a waiting barrier is a step again */
    bool barrier_all;     /* barriers wait for ended warps too, as the RTL */
    bool common_pds;      /* the same private base for every workgroup */
    bool join_check;      /* a join on an empty SIMT stack that no setrpc
                             names is a fault; else it does nothing */
    bool portable;        /* plain C lane loops whatever the processor has */
};

enum ventus_sim_perm {
    VENTUS_SIM_READ = 1,
    VENTUS_SIM_WRITE = 2,
    VENTUS_SIM_EXEC = 4,
    /* A bank's: what it does not permit may be done by a check that has reported it. */
    VENTUS_SIM_YIELDS = 8
};

enum ventus_sim_fault_kind {
    VENTUS_SIM_FAULT_NONE,
    VENTUS_SIM_FAULT_ILLEGAL,    /* no instruction, or not to be used so */
    VENTUS_SIM_FAULT_MISALIGNED, /* address or branch target */
    VENTUS_SIM_FAULT_UNMAPPED,
    VENTUS_SIM_FAULT_PERMISSION, /* mapped, but not for this */
    VENTUS_SIM_FAULT_PRIVATE,    /* offset beyond a thread's private memory */
    VENTUS_SIM_FAULT_LOCAL,      /* beyond the workgroup's local memory */
    VENTUS_SIM_FAULT_STACK,      /* the SIMT stack is full */
    VENTUS_SIM_FAULT_JOIN,       /* a join that ends no branch: join_check */
    VENTUS_SIM_FAULT_ENDPRG,     /* endprg while lanes wait on the SIMT stack */
    VENTUS_SIM_FAULT_NO_FIT,     /* a workgroup is larger than an SM */
    VENTUS_SIM_FAULT_DEADLOCK,   /* a barrier that can never complete */
    VENTUS_SIM_FAULT_LIMIT,      /* max_instructions or max_ms */
    VENTUS_SIM_FAULT_LAUNCH,     /* the launch itself makes no sense */
    VENTUS_SIM_FAULT_MEMORY,     /* the host has none to go on */
    VENTUS_SIM_FAULT_STOPPED,    /* the host ended the launch: its `stop` */
    VENTUS_SIM_FAULT_ENDLESS,    /* a loop without end; checks find it */
    VENTUS_SIM_FAULT_STUCK,      /* a model issues nothing any more */
    VENTUS_SIM_FAULT_INTERNAL,   /* a mistake of the machine: an assertion */
    VENTUS_SIM_FAULT_COUNT
};

/* Added to the root of tables of four levels: the mode of satp, bits 63:60. */
#define VENTUS_SIM_SV48 (UINT64_C(9) << 60)

struct ventus_sim_fault {
    enum ventus_sim_fault_kind kind;
    uint64_t pc;    /* of the instruction word, not its prefix */
    uint64_t group; /* linear number of the workgroup */
    uint32_t group_at[3];
    unsigned warp;    /* in its workgroup */
    int lane;         /* the first one concerned, or -1 */
    uint64_t address; /* of the access, if it is about one; an offset for
                           VENTUS_SIM_FAULT_PRIVATE */
    struct ventus_isa_insn in; /* op 0: none could be read */
    char text[1024]; /* all of it in words, a line or more, no newline */
};

/* What one workgroup needs of an SM, and where everything is. */
struct ventus_sim_launch {
    uint64_t pc;           /* first instruction of every warp */
    uint64_t kernel;       /* tells launches with the same pc apart, or 0 */
    uint32_t grid[3];      /* workgroups in x, y, z; 0 counts as 1 */
    uint64_t first, count; /* only these, in linear order; count 0: all */
    /* Work-items in x, y, z and the shape of a workgroup: lanes beyond them
     * do not run.  local 0: every workgroup has `threads`. */
    uint32_t global[3], local[3];
    unsigned warps;        /* of a workgroup; 0: as many as threads need */
    unsigned threads;      /* of a workgroup, the last warp may be partial;
                              0: all threads of `warps` warps */
    uint32_t knl;          /* CSR_KNL: address of the metadata */
    uint32_t local_size_B; /* of a workgroup */
    bool local_bounded;    /* to use more is a fault; else it has the window */
    uint64_t pds_base;     /* private memory of workgroup `first` */
    uint32_t pds_size_B;   /* private memory of a thread, more is a fault */
    bool pds_zeroed;       /* it is zero: leave it so for later launches */
    unsigned sgpr, vgpr;   /* registers a warp uses; 0: 64, 256 */
    uint64_t ptbr;         /* physical address of the Sv39 root, or that of
                              Sv48 with VENTUS_SIM_SV48; 0: addresses are
                              physical */
    /* Where nothing is mapped, and outside of [own_lo, own_hi), loads, stores
     * and atomics reach the memory of this process at its own addresses, with
     * the permissions that it has there.  own_hi 0: they do not. */
    uint64_t own_lo, own_hi;
    /* Bytes after local memory (if local_bounded) and after the private memory of each
     * thread that may be accessed, too; zero when a workgroup begins. */
    uint32_t local_padding_B, pds_padding_B;
    const struct ventus_sim_hooks *hooks; /* or NULL */
    struct ventus_sim_stats *stats;       /* added to, or NULL; costs speed */
    /* When the launch began, for max_ms: CLOCK_MONOTONIC in ns; 0: now.  The parts of a
     * launch that is made in parts have one beginning. */
    uint64_t began_ns;
    /* The launch ends with VENTUS_SIM_FAULT_STOPPED soon after this is not 0,
     * which any thread or a signal handler may store (atomically); or NULL. */
    const int *stop;
    /* Receives, now and then and atomically, the instructions of warps that workgroups
     * have executed so far, those of the last few thousand left out; or NULL. */
    uint64_t *executed;
};

/* One executed instruction, for logs, traces, coverage. */
struct ventus_sim_step {
    uint64_t group;
    unsigned warp;
    uint64_t pc, next_pc;             /* pc: of the instruction word */
    uint32_t words[2];                /* prefix first */
    const struct ventus_isa_insn *in; /* prefix folded in */
    uint64_t mask, next_mask;         /* active lanes before and after */
    uint64_t exec;                    /* lanes that took part: mask, vl, vm */
    unsigned stack;                   /* SIMT stack entries after it */
    unsigned num_thread;
    const uint32_t *x; /* scalar registers after it, 64 */
    const uint32_t *v; /* vector registers: v[r * stride + lane] */
    unsigned stride;
    /* Of a load, store or atomic: addresses[lane], or [0] of a scalar one. */
    const uint64_t *addresses;
    unsigned access_B; /* bytes of a lane's access; 0: none */
    bool scalar_access;
    uint32_t vl, vtype, rpc; /* after it */
    uint32_t fflags;         /* after it */
    uint32_t fflags_raised;  /* by it, whether they were set before or not */
    bool waits;              /* a barrier that did not complete at this step */
};

struct ventus_sim_hooks {
    void *ctx;
    /* CSR_PRINT was set: drain the print buffer.  The CSR is 0 afterwards.
     * Called from any host thread, but never from two at once. */
    void (*print)(void *ctx, uint64_t group, unsigned warp, uint32_t value);
    /* After every instruction.  The launch then runs on one host thread. */
    void (*step)(void *ctx, const struct ventus_sim_step *step);
    /* A workgroup has ended.  From any host thread, also from two at once. */
    void (*ended)(void *ctx, uint64_t group);
    /* The launch is about to access a page of this process (own_hi), which has
     * these 4096 bytes; at least before its first access.  Never called from two
     * threads at once. */
    void (*host_page)(void *ctx, uint64_t address, const void *bytes);
    /* An instruction has accessed padding, `bytes` long: the fault that it would be
     * without padding, but no text.  At least the first time that a host thread comes
     * to the instruction; from any thread, also from two at once. */
    void (*padding)(void *ctx, const struct ventus_sim_fault *fault,
                    unsigned bytes, bool write);
    /* A run loop instead of the machine's own, which sees what each
     * instruction does; src/sim/watch.h.  Or NULL. */
    const struct ventus_sim_watch *watch;
};

struct ventus_sim_stats {
    uint64_t warp_instructions;   /* prefix and instruction count as one */
    uint64_t thread_instructions; /* a scalar one counts as one thread's */
    uint64_t vector_instructions; /* of warps, on vectors */
    uint64_t vector_lanes;        /* active lanes of those: SIMT efficiency is
                                     lanes / (instructions * num_thread) */
    uint64_t prefixes;
    uint64_t by_unit[VENTUS_ISA_UNIT_COUNT];         /* warp-instructions */
    uint64_t threads_by_unit[VENTUS_ISA_UNIT_COUNT]; /* thread-instructions */
    uint64_t by_op[VENTUS_ISA_OP_COUNT];             /* warp-instructions */
    uint64_t branches, branches_divergent;           /* of threads: vbeq ... */
    uint64_t joins;                                  /* that popped an entry */
    unsigned max_stack;
    uint64_t barriers;
    /* Vector accesses by how the addresses of the lanes lie. */
    uint64_t loads_uniform, loads_unit, loads_gather;
    uint64_t stores_uniform, stores_unit, stores_scatter;
    uint64_t workgroups;
};

/* NULL, and a message in `text` if not NULL, if the configuration is wrong. */
struct ventus_sim *
ventus_sim_create(const struct ventus_sim_config *config, char *text,
                  size_t size);

void
ventus_sim_destroy(struct ventus_sim *sim);

/* The configuration in force, defaults filled in. */
const struct ventus_sim_config *
ventus_sim_configuration(const struct ventus_sim *sim);

/*
 * Makes physical addresses [address, address + size) exist, all zero.  Both
 * are multiples of 4096.  False if they overlap what is mapped, are in the
 * window of local memory (0x70000000 to 0x7fffffff), or the host has no room;
 * the host gives pages only when they are touched.
 */
bool
ventus_sim_map(struct ventus_sim *sim, uint64_t address, uint64_t size,
               unsigned perm);

/*
 * The same with memory of the caller, which stays his: the bytes at `host`, of
 * which he may use any while no launch runs, and after it until it is unmapped.
 */
bool
ventus_sim_map_host(struct ventus_sim *sim, uint64_t address, uint64_t size,
                    unsigned perm, void *host);

/*
 * Programs access only the first `size` bytes of what ventus_sim_map made at
 * `address`; code is still fetched by whole pages, and ventus_sim_read,
 * ventus_sim_write and the like reach all of it.  False: there is no such
 * memory, or it is smaller.
 */
bool
ventus_sim_bound(struct ventus_sim *sim, uint64_t address, uint64_t size);

/* Maps in a machine that has no memory what another one has, with a copy of its
 * bytes.  False: the host has no room. */
bool
ventus_sim_copy(struct ventus_sim *to, const struct ventus_sim *from);

/* Bytes that are mapped. */
uint64_t
ventus_sim_mapped(const struct ventus_sim *sim);

/*
 * Padding: the `size` bytes after those of ventus_sim_bound may be accessed, too, and the
 * hook `padding` is told.  Such an access costs more; others cost what they did.  False:
 * there is no such memory, or it is smaller.
 */
bool
ventus_sim_pad(struct ventus_sim *sim, uint64_t address, uint64_t size);

/* Removes what ventus_sim_map made, as a whole. */
bool
ventus_sim_unmap(struct ventus_sim *sim, uint64_t address);

/* Physical memory, whatever its permissions.  False: not all is mapped. */
bool
ventus_sim_read(const struct ventus_sim *sim, uint64_t address, void *to,
                uint64_t size);

bool
ventus_sim_write(struct ventus_sim *sim, uint64_t address, const void *from,
                 uint64_t size);

bool
ventus_sim_fill(struct ventus_sim *sim, uint64_t address, uint8_t byte,
                uint64_t size);

/* Where `address` is on the host and how many bytes follow; NULL: nowhere. */
void *
ventus_sim_pointer(const struct ventus_sim *sim, uint64_t address,
                   uint64_t *size);

/*
 * Marks: one bit for each VENTUS_SIM_MARK_B bytes of what was mapped with `address`, bit i % 64
 * of word i / 64 for piece i.  Launches set the bit of a piece before they write into it, and
 * clear none; the caller may do both between launches.  Pieces in a row are marked ahead, but
 * none of a page of 4096 bytes into which nothing was written.  What this process writes is not
 * marked.  The marks stay the caller's, who ends marking (marks NULL) or removes the memory
 * before they go.  False: nothing is mapped there.
 */
enum { VENTUS_SIM_MARK_B = 64 };

bool
ventus_sim_mark_writes(struct ventus_sim *sim, uint64_t address,
                       uint64_t *marks);

/*
 * Translates as the machine does for the tables at `ptbr`, padding included; perm is one of
 * enum ventus_sim_perm.  VENTUS_SIM_FAULT_NONE and *physical, or what is wrong.
 */
enum ventus_sim_fault_kind
ventus_sim_translate(const struct ventus_sim *sim, uint64_t ptbr,
                     uint64_t address, unsigned perm, uint64_t *physical);

/* Runs a grid to its end.  False: *fault says why not. */
bool
ventus_sim_launch(struct ventus_sim *sim,
                  const struct ventus_sim_launch *launch,
                  struct ventus_sim_fault *fault);

/* "misaligned access" and the like. */
const char *
ventus_sim_fault_name(enum ventus_sim_fault_kind kind);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
