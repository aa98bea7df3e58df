/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

/*
 * The machine one instruction at a time, for callers that schedule warps
 * themselves: the cycle model computes values here when it issues.
 *
 *     step_open -> step_start a workgroup in a slot -> step_warp ... -> close
 *
 * A warp may be stepped until its step says that it ended; one that stepped
 * into a barrier continues when it is stepped again, so the caller keeps the
 * barrier.  One thread at a time.
 */
struct sim_stepper;
struct sim_overlay;

/*
 * Room for `slots` workgroups of the launch, 0: for as many as an SM holds.
 * NULL: *fault says why not.
 */
struct sim_stepper *
step_open(struct ventus_sim *sim, const struct ventus_sim_launch *launch,
          unsigned slots, struct ventus_sim_fault *fault);

void
step_close(struct sim_stepper *s);

/* The launch with its defaults filled in, and how many workgroups it has. */
const struct ventus_sim_launch *
step_launch(const struct sim_stepper *s, uint64_t *groups);

unsigned
step_slots(const struct sim_stepper *s);

/* Puts a workgroup, numbered from launch.first, into a slot. */
void
step_start(struct sim_stepper *s, unsigned slot, uint64_t number);

/* Whether a warp has work-items; one without has ended before it began. */
bool
step_exists(const struct sim_stepper *s, unsigned slot, unsigned warp);

/*
 * The words, `bytes` long each, that the next instruction of a warp is about to
 * touch: addresses of the program; n 0 if it touches no memory.
 */
enum { STEP_WORDS_MAX = 8 * 64 };

struct step_access {
    unsigned n, bytes;
    uint64_t at[STEP_WORDS_MAX];
};

void
step_peek(struct sim_stepper *s, unsigned slot, unsigned warp,
          struct step_access *access);

/* LMUL is 2: what a warp accesses is less than half in its addresses. */
bool
step_is_grouped(const struct sim_stepper *s, unsigned slot, unsigned warp);

/* An overlay of the memory that is mapped now (sim/overlay.h).  NULL: no host memory. */
struct sim_overlay *
step_overlay(const struct ventus_sim *sim);

/*
 * Makes instructions access the overlay in place of memory: before a step the caller
 * puts into it what the step is to see of the words of step_peek, and takes from it what
 * the step wrote.  Called before the first workgroup; holds until step_close.
 */
void
step_divert(struct sim_stepper *s, const struct sim_overlay *overlay);

/* The host address, in memory itself, of an address outside of local memory; NULL: the
 * address is not mapped. */
const uint8_t *
step_host(struct sim_stepper *s, uint64_t address, bool write);

/*
 * The rules of barriers are in sim/barrier.h; the caller reports when a warp
 * that stepped into one has arrived there, and queries the waiting warps.
 * True: it has a count of threads, so others may wait no more.
 */
bool
step_arrive(struct sim_stepper *s, unsigned slot, unsigned warp);

bool
step_waits(const struct sim_stepper *s, unsigned slot, unsigned warp);

/* All warps wait that have not ended: false after a fault, if that is vain. */
bool
step_release(struct sim_stepper *s, unsigned slot);

/* The contents of the words that step_peek showed last; 0: nothing to write to. */
void
step_look(struct sim_stepper *s, const struct step_access *access,
          uint32_t words[STEP_WORDS_MAX]);

/*
 * Private memory that step_start is about to clear, in the place of the
 * workgroup that was in the slot: its first address; *size 0: none.
 */
uint64_t
step_cleared(const struct sim_stepper *s, unsigned slot, uint64_t *size);

/*
 * Starts a checkpoint of memory.  Call it before the first step of steppers,
 * and step_rollback or step_commit after the last.
 */
bool
step_checkpoint(struct ventus_sim *sim);

/* False: a page could not be copied, or code or a page table was written. */
bool
step_can_roll_back(const struct ventus_sim *sim);

void
step_rollback(struct ventus_sim *sim);

void
step_commit(struct ventus_sim *sim);

/*
 * Does the next instruction of a warp.  The result is valid until the next
 * call; NULL after a fault.
 */
const struct ventus_sim_step *
step_warp(struct sim_stepper *s, unsigned slot, unsigned warp);

/*
 * What an instruction is to the stepper: it acts in each lane, not once for the
 * warp; may compute with the host's FPU, or read its flags; touches memory;
 * several words of it in each lane; reads a counter of time.
 */
enum {
    STEP_LANES = 1,
    STEP_FPU = 2,
    STEP_MEMORY = 4,
    STEP_WIDE = 8,
    STEP_COUNTER = 16
};

unsigned
step_kind(const struct sim_stepper *s, const struct ventus_isa_insn *in);

/*
 * The same for callers that read pc, next_pc, exec, num_thread and the access only;
 * `kind` is what step_kind says of the instruction.
 */
const struct ventus_sim_step *
step_warp_quick(struct sim_stepper *s, unsigned slot, unsigned warp,
                unsigned kind);

/* A warp's registers: x[r], and v[r * stride + lane]. */
struct step_registers {
    const uint32_t *x, *v;
    unsigned stride;
};

/* Bytes from a word of a private access to the next one of its thread. */
uint64_t
step_private_apart(const struct sim_stepper *s, unsigned slot);

struct step_registers
step_registers(const struct sim_stepper *s, unsigned slot, unsigned warp);

/*
 * All of a warp that decides what it does next, but memory and counters: two
 * that differ have different hashes.
 */
void
step_hash(const struct sim_stepper *s, unsigned slot, unsigned warp,
          uint64_t hash[2]);

/* Makes it the fault that the caller has no host memory to continue. */
void
step_lack_memory(struct sim_stepper *s);

/* Has the host, or the limit of time, ended the launch?  VENTUS_SIM_FAULT_STOPPED or
 * _LIMIT; _NONE: it has not.  Reads the clock if there is such a limit. */
enum ventus_sim_fault_kind
step_ended_by_host(const struct sim_stepper *s);

/* Places of a fault of a warp that has not ended, as step_fault gives them. */
bool
step_is_over(struct sim_stepper *s, unsigned slot, unsigned warp);

/* The fault of the last step. */
const struct ventus_sim_fault *
step_fault(const struct sim_stepper *s);

/*
 * The words of the code page that has pc, from *base on; *n of them.  NULL if
 * nothing can be executed there.
 */
const uint32_t *
step_words(struct sim_stepper *s, uint32_t pc, uint32_t *base, unsigned *n);
