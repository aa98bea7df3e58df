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
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

struct ventus_sim;
struct ventus_sim_instrumentation;

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
    uint64_t max_instructions; /* per warp, then a fault [no limit] */
    uint64_t max_ms;           /* wall clock per launch [no limit] */

    bool all_lanes;     /* partial warps run all lanes, as upstream does */
    bool ignore_vm;     /* vm = 0 masks nothing: v0 is an ordinary register */
    bool scalar_amo;    /* atomics on x registers, once per warp */
    bool vadd12_signed; /* vadd12.vi, vsub12.vi: 0xfff is -1, not 4095 */
    /* Warps execute one instruction in turn; one host thread. */
    bool round_robin;
    /* Round robin: a step at a waiting barrier counts again. */
    bool barrier_repeats;
    bool barrier_all; /* barriers wait for ended warps too, as the RTL */
    bool common_pds;  /* the same private base for every workgroup */
    /* A join on an empty SIMT stack that no setrpc names is a fault; else it has no
     * effect. */
    bool join_check;
    bool portable; /* plain C lane loops, whatever the processor offers */
};

enum ventus_sim_perm {
    VENTUS_SIM_READ = 1,
    VENTUS_SIM_WRITE = 2,
    VENTUS_SIM_EXEC = 4,
    /* On a bank of memory: an access without permission is done, after a check has
     * reported it. */
    VENTUS_SIM_YIELDS = 8
};

enum ventus_sim_fault_kind {
    VENTUS_SIM_FAULT_NONE,
    VENTUS_SIM_FAULT_ILLEGAL,    /* no instruction, or an illegal use of one */
    VENTUS_SIM_FAULT_MISALIGNED, /* address or branch target is misaligned */
    VENTUS_SIM_FAULT_UNMAPPED,
    VENTUS_SIM_FAULT_PERMISSION, /* mapped, but without this permission */
    VENTUS_SIM_FAULT_PRIVATE,    /* offset outside a thread's private memory */
    VENTUS_SIM_FAULT_LOCAL,      /* outside the workgroup's local memory */
    VENTUS_SIM_FAULT_STACK,      /* the SIMT stack is full */
    VENTUS_SIM_FAULT_JOIN,       /* a join without a branch: join_check */
    VENTUS_SIM_FAULT_ENDPRG,     /* endprg while lanes wait on the SIMT stack */
    VENTUS_SIM_FAULT_NO_FIT,     /* a workgroup is larger than an SM */
    VENTUS_SIM_FAULT_DEADLOCK,   /* a barrier that can never complete */
    VENTUS_SIM_FAULT_LIMIT,      /* max_instructions or max_ms is exceeded */
    VENTUS_SIM_FAULT_LAUNCH,     /* the launch itself is invalid */
    VENTUS_SIM_FAULT_MEMORY,     /* the host has no memory to continue */
    VENTUS_SIM_FAULT_STOPPED,    /* the host ended the launch: its `stop` */
    VENTUS_SIM_FAULT_ENDLESS,    /* an infinite loop, found by checks */
    VENTUS_SIM_FAULT_STUCK,      /* a model does not issue any more */
    VENTUS_SIM_FAULT_INTERNAL,   /* a bug of the machine: an assertion failed */
    VENTUS_SIM_FAULT_COUNT
};

/* Added to the root of page tables of four levels: the mode of satp, bits 63:60. */
#define VENTUS_SIM_SV48 (UINT64_C(9) << 60)

struct ventus_sim_fault {
    enum ventus_sim_fault_kind kind;
    uint64_t pc;    /* address of the instruction word, not its prefix */
    uint64_t group; /* linear number of the workgroup */
    uint32_t group_at[3];
    unsigned warp; /* number in its workgroup */
    int lane;      /* the first lane concerned, or -1 */
    /* Address of the access, if there is one; an offset for VENTUS_SIM_FAULT_PRIVATE. */
    uint64_t address;
    struct ventus_isa_insn in; /* op 0: no instruction could be read */
    char text[1024]; /* everything in words, a line or more, no final newline */
};

/* Resources of a workgroup on an SM, and addresses of a launch. */
struct ventus_sim_launch {
    uint64_t pc;      /* first instruction of every warp */
    uint64_t kernel;  /* tells launches with the same pc apart, or 0 */
    uint32_t grid[3]; /* workgroups in x, y, z; 0 counts as 1 */
    /* Only these workgroups, in linear order; count 0: all. */
    uint64_t first, count;
    /* Work-items in x, y, z and the shape of a workgroup: lanes beyond them
     * do not run.  local 0: every workgroup has `threads`. */
    uint32_t global[3], local[3];
    unsigned warps; /* per workgroup; 0: as many as threads need */
    /* Per workgroup, the last warp may be partial; 0: all threads of `warps` warps. */
    unsigned threads;
    uint32_t knl;          /* CSR_KNL: address of the metadata */
    uint32_t local_size_B; /* local memory per workgroup */
    /* Accesses above it fault; else the whole window is accessible. */
    bool local_bounded;
    uint64_t pds_base; /* private memory of workgroup `first` */
    /* Private memory of a thread; accesses above it fault. */
    uint32_t pds_size_B;
    /* Private memory is zero: leave it zero for later launches. */
    bool pds_zeroed;
    unsigned sgpr, vgpr; /* registers of a warp; 0: 64, 256 */
    /* Physical address of the Sv39 root, or of the Sv48 root plus VENTUS_SIM_SV48; 0:
     * addresses are physical. */
    uint64_t ptbr;
    /* Outside of [own_lo, own_hi), loads, stores and atomics to unmapped addresses
     * access the memory of this process at the same address, with the permissions that
     * the process has. own_hi 0: they fault. */
    uint64_t own_lo, own_hi;
    /* Bytes after local memory (if local_bounded) and after the private memory of each
     * thread that may be accessed, too; zero when a workgroup begins. */
    uint32_t local_padding_B, pds_padding_B;
    const struct ventus_sim_hooks *hooks; /* or NULL */
    struct ventus_sim_stats *stats; /* counts are added here, or NULL; slower */
    /* CLOCK_MONOTONIC in ns when the launch began, for max_ms; 0: now.  Partial
     * launches of one launch share one beginning. */
    uint64_t began_ns;
    /* The launch ends with VENTUS_SIM_FAULT_STOPPED soon after this is not 0,
     * which any thread or a signal handler may store (atomically); or NULL. */
    const int *stop;
    /* Receives, periodically and atomically, the warp instructions that workgroups
     * have executed so far, without the last few thousand; or NULL. */
    uint64_t *executed;
};

/* An executed instruction, for logs, traces, coverage. */
struct ventus_sim_step {
    uint64_t group;
    unsigned warp;
    uint64_t pc, next_pc;             /* pc: of the instruction word */
    uint32_t words[2];                /* prefix first */
    const struct ventus_isa_insn *in; /* prefix folded in */
    uint64_t mask, next_mask;         /* active lanes before and after */
    uint64_t exec;                    /* executing lanes: mask, vl, vm */
    unsigned stack;                   /* SIMT stack entries after it */
    unsigned num_thread;
    const uint32_t *x; /* scalar registers after it, 64 */
    const uint32_t *v; /* vector registers: v[r * stride + lane] */
    unsigned stride;
    /* Addresses of a load, store or atomic: addresses[lane], or [0] of a scalar
     * access. */
    const uint64_t *addresses;
    unsigned access_B; /* bytes of a lane's access; 0: no access */
    bool scalar_access;
    uint32_t vl, vtype, rpc; /* values after the instruction */
    uint32_t fflags;         /* flags after the instruction */
    /* Flags that it raised, whether they were set before or not. */
    uint32_t fflags_raised;
    bool waits; /* a barrier that did not complete at this step */
};

struct ventus_sim_hooks {
    void *ctx;
    /* CSR_PRINT was written: the print buffer is to be drained.  The CSR is 0
     * afterwards.  Called from any host thread, but never from two at once. */
    void (*print)(void *ctx, uint64_t group, unsigned warp, uint32_t value);
    /* Called after every instruction.  The launch then runs on one host thread. */
    void (*step)(void *ctx, const struct ventus_sim_step *step);
    /* Called when a workgroup has ended, from any host thread, also from two at once. */
    void (*ended)(void *ctx, uint64_t group);
    /* Called before the launch first accesses a page of this process (own_hi), which
     * has these 4096 bytes; it may be called again.  Never called from two threads at
     * once. */
    void (*host_page)(void *ctx, uint64_t address, const void *bytes);
    /* Called when an instruction has accessed padding, `bytes` long, with the fault
     * that the access would be without padding, but no text.  Called at least when a
     * host thread first reaches the instruction; from any thread, also from two at
     * once. */
    void (*padding)(void *ctx, const struct ventus_sim_fault *fault,
                    unsigned bytes, bool write);
    /* A run loop in place of the machine's own, which observes each instruction;
     * src/sim/instrumentation.h.  Or NULL. */
    const struct ventus_sim_instrumentation *instrumentation;
};

struct ventus_sim_stats {
    uint64_t warp_instructions; /* prefix and instruction count as one */
    /* A scalar instruction counts as one thread's. */
    uint64_t thread_instructions;
    uint64_t vector_instructions; /* warp instructions on vectors */
    /* Active lanes of vector instructions: SIMT efficiency is lanes / (instructions *
     * num_thread). */
    uint64_t vector_lanes;
    uint64_t prefixes;
    uint64_t by_unit[VENTUS_ISA_UNIT_COUNT];         /* warp-instructions */
    uint64_t threads_by_unit[VENTUS_ISA_UNIT_COUNT]; /* thread-instructions */
    uint64_t by_op[VENTUS_ISA_OP_COUNT];             /* warp-instructions */
    uint64_t branches, branches_divergent; /* branches of threads: vbeq ... */
    uint64_t joins;                        /* joins that popped an entry */
    unsigned max_stack;
    uint64_t barriers;
    /* Vector accesses by the pattern of the lanes' addresses. */
    uint64_t loads_uniform, loads_unit, loads_gather;
    uint64_t stores_uniform, stores_unit, stores_scatter;
    uint64_t workgroups;
};

/* Creates a machine.  NULL, and a message in `text` if not NULL, if the configuration
 * is wrong. */
struct ventus_sim *
ventus_sim_create(const struct ventus_sim_config *config, char *text,
                  size_t size);

void
ventus_sim_destroy(struct ventus_sim *sim);

/* The configuration of the machine, defaults filled in. */
const struct ventus_sim_config *
ventus_sim_configuration(const struct ventus_sim *sim);

/* Maps zeroed physical memory at [address, address + size); both are multiples of
 * 4096.  False: the range overlaps mapped memory or the window of local memory
 * (0x70000000 to 0x7fffffff), or the host has no address space left.  The host
 * allocates pages at the first access. */
bool
ventus_sim_map(struct ventus_sim *sim, uint64_t address, uint64_t size,
               unsigned perm);

/* Maps memory of the caller, who stays its owner: the bytes at `host`, which the
 * caller may use while no launch runs, and at any time after it is unmapped. */
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

/* Copies the memory of a machine, mappings and bytes, into a machine that has none.
 * False: the host has no memory for it. */
bool
ventus_sim_copy(struct ventus_sim *to, const struct ventus_sim *from);

/* Number of mapped bytes. */
uint64_t
ventus_sim_mapped(const struct ventus_sim *sim);

/* Padding: the `size` bytes after those of ventus_sim_bound may be accessed, too, and
 * the hook `padding` is called.  Such an access is slower; others are not.  False: the
 * memory does not exist, or is smaller. */
bool
ventus_sim_pad(struct ventus_sim *sim, uint64_t address, uint64_t size);

/* Unmaps all that one call of ventus_sim_map made. */
bool
ventus_sim_unmap(struct ventus_sim *sim, uint64_t address);

/* Reads and writes physical memory, whatever its permissions.  False: not all is
 * mapped. */
bool
ventus_sim_read(const struct ventus_sim *sim, uint64_t address, void *to,
                uint64_t size);

bool
ventus_sim_write(struct ventus_sim *sim, uint64_t address, const void *from,
                 uint64_t size);

bool
ventus_sim_fill(struct ventus_sim *sim, uint64_t address, uint8_t byte,
                uint64_t size);

/* The host address of `address`, and how many bytes follow it; NULL: not mapped. */
void *
ventus_sim_pointer(const struct ventus_sim *sim, uint64_t address,
                   uint64_t *size);

/* Marks: one bit for each VENTUS_SIM_MARK_B bytes of the memory mapped at `address`,
 * bit i % 64 of word i / 64 for piece i.  Launches set the bit of a piece before they
 * write into it, and clear none; the caller may do both between launches.  Consecutive
 * pieces may be marked ahead, but never in a page of 4096 bytes that was not written.
 * Writes of this process are not marked.  The caller owns the marks and ends marking
 * (marks NULL) or unmaps the memory before freeing them.  False: nothing is mapped
 * there. */
enum { VENTUS_SIM_MARK_B = 64 };

bool
ventus_sim_mark_writes(struct ventus_sim *sim, uint64_t address,
                       uint64_t *marks);

/* Translates as the machine does for the tables at `ptbr`, padding included; perm is
 * one of enum ventus_sim_perm.  Sets *physical and returns VENTUS_SIM_FAULT_NONE, or
 * the fault. */
enum ventus_sim_fault_kind
ventus_sim_translate(const struct ventus_sim *sim, uint64_t ptbr,
                     uint64_t address, unsigned perm, uint64_t *physical);

/* Runs a grid to its end.  False: *fault says why. */
bool
ventus_sim_launch(struct ventus_sim *sim,
                  const struct ventus_sim_launch *launch,
                  struct ventus_sim_fault *fault);

/* The name of a kind of fault: "misaligned access" and the like. */
const char *
ventus_sim_fault_name(enum ventus_sim_fault_kind kind);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
