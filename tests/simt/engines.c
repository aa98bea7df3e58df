/* SPDX-License-Identifier: Apache-2.0 */
/* The machines, and a program on one of them. */
#include "engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ventus/asm.h>
#include <ventus/dev.h>

#include "dev/device.h"
#include "dev/engine/functional.h"
#include "obj/elf.h"
#include "sim/state.h"

/* clang-format off */
const struct engine engines[] = {
    /* name           preset         settings */
    { "counted",      "default",     { "host_threads=1" }, .counts = true },
    { "best",         "default",     { "host_threads=1" } },
    { "plain",        "default",     { "host_threads=1" }, .level = "plain" },
    { "v2",           "default",     { "host_threads=1" }, .level = "v2" },
    { "v3",           "default",     { "host_threads=1" }, .level = "v3" },
    { "v3_32",        "default",     { "host_threads=1" }, .level = "v3_32" },
    { "v4",           "default",     { "host_threads=1" }, .level = "v4" },
    { "v4_32",        "default",     { "host_threads=1" }, .level = "v4_32" },
#ifdef HAVE_NATIVE
    { "native",       "default",     { "host_threads=1", "execution=native" }, .least = 8 },
    { "native_2",     "default",     { "host_threads=2", "execution=native" }, .least = 8 },
#endif
    { "threads2",     "default",     { "host_threads=2" } },
    { "threads4",     "default",     { "host_threads=4" } },
    { "deterministic", "default",    { "host_threads=2", "deterministic=yes" } },
    { "round_robin",  "default",     { "round_robin=yes" } },
    { "no_join_check", "default",    { "host_threads=1", "join_check=no" } },
    { "port",         "rtl-verilog", { "num_sm=1" }, .cycles = true },
    { "port_sm3",     "rtl-verilog", { "num_sm=3", "host_threads=2" }, .cycles = true },
    { "chisel",       "chisel",      { "coherence=none" }, .cycles = true },
    { "rcc",          "chisel",      { "num_sm=1" }, .cycles = true },
    { "rcc_sm2",      "chisel",      { "num_sm=2", "host_threads=2" }, .cycles = true },
    { "rcc_sm5",      "chisel",      { "num_sm=5", "scheduler=random", "memory_jitter=40" },
      .cycles = true },
    { "dual_gto",     "rtl-verilog", { "issue_width=2", "scheduler=gto", "memory=dram",
                                       "memory_requests=4" }, .cycles = true },
    { "no_vm",        "default",     { "ignore_vm=yes" }, .broken = true },
    { "signed_12",    "default",     { "vadd12_signed=yes" }, .broken = true },
    { "whole_warps",  "default",     { "all_lanes=yes" }, .broken = true },
};
/* clang-format on */
const unsigned n_engines = sizeof engines / sizeof *engines;

enum { LANE_SIZES = 7, ENGINES_MAX = 32 };

static struct ventus_dev *machines[ENGINES_MAX][LANE_SIZES];
static bool missing[ENGINES_MAX][LANE_SIZES];

_Noreturn static void
die(const char *what, const char *why)
{
    fprintf(stderr, "simt: %s: %s\n", what, why);
    exit(2);
}

/* ---- machines ---- */

/* Room for the largest geometry: 16 warps in each of four workgroups. */
enum { DATA_ROOM_B = 0x100000 };

static struct ventus_dev *
open_machine(const struct engine *e, unsigned lanes)
{
    static const char *const common[] = { "common_pds=no",
                                          "one_group=no",
                                          "num_vgpr=0",
                                          "num_sgpr=0",
                                          "max_instructions=2000000",
                                          "local_size=128K" };
    char lane_text[32], stack_text[32];
    const char *set[20];
    unsigned n = 0;
    snprintf(lane_text, sizeof lane_text, "num_thread=%u", lanes);
    /* semantics.md, SIMT stack: structured code needs no more entries than
     * lanes. */
    snprintf(stack_text, sizeof stack_text, "stack_depth=%u", lanes);
    set[n++] = lane_text;
    set[n++] = stack_text;
    set[n++] = "all_lanes=no";
    for (unsigned i = 0; i < sizeof common / sizeof *common; i++)
        set[n++] = common[i];
    for (unsigned i = 0; i < 8 && e->set[i]; i++)
        set[n++] = e->set[i];
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .config = e->preset, .set = set, .n_set = n, .bare = true });
    if (!d)
        die(e->name, ventus_dev_message());
    if (!ventus_dev_place(d, CODE, CODE_B) ||
        !ventus_dev_place(d, TABLE, 4 * TABLE_WORDS) ||
        !ventus_dev_place(d, DATA, DATA_ROOM_B))
        die(e->name, ventus_dev_message());
    return d;
}

/* NULL: the engine does not do so many lanes here. */
static struct ventus_dev *
machine_of(unsigned engine, unsigned lanes)
{
    const struct engine *e = &engines[engine];
    unsigned size = (unsigned)__builtin_ctz(lanes);
    struct ventus_dev **d = &machines[engine][size];
    if (*d || missing[engine][size] || lanes < e->least)
        return *d;
    *d = open_machine(e, lanes);
    struct functional *f = (*d)->machine;
    if (e->level && !lanes_select_level(&f->sim->lanes, lanes, e->level)) {
        ventus_dev_close(*d);
        *d = NULL;
        missing[engine][size] = true;
    }
    return *d;
}

void
engines_close(void)
{
    for (unsigned i = 0; i < n_engines; i++)
        for (unsigned k = 0; k < LANE_SIZES; k++)
            ventus_dev_close(machines[i][k]);
}

/* ---- programs ---- */

static void
assemble(struct job *j)
{
    struct ventus_asm_result r;
    struct arena arena = { 0 };
    struct diag_sink sink = { 0 };
    struct elf elf;
    if (!ventus_asm_assemble(&(struct ventus_asm_options){ .file = "simt.s" },
                             j->text, strlen(j->text), &r)) {
        ventus_asm_print_messages(&r, stderr, false);
        die("a program", "it does not assemble");
    }
    if (!elf_read(&arena, "simt.o", r.object, r.object_size, &elf, &sink))
        die("a program", "its object cannot be read");
    const struct elf_section *s = elf_find_section(&elf, ".text");
    if (!s || s->n_relocs || s->size > CODE_B)
        die("a program", "its code needs a linker or more room");
    j->code_B = s->size;
    j->code = malloc(s->size);
    memcpy(j->code, s->contents, s->size);
    arena_free(&arena);
    ventus_asm_free(&r);
}

bool
job_make(struct job *j, uint64_t limit)
{
    j->text = NULL;
    j->code = NULL;
    if (!program_link(&j->program) ||
        !reference_run(&j->program, limit, &j->expected))
        return false;
    j->text = emit(&j->program);
    assemble(j);
    return true;
}

void
job_free(struct job *j)
{
    free(j->text);
    free(j->code);
    free(j->expected.image);
}

/* ---- runs ---- */

static void
name_place(const struct job *j, uint32_t at, char *to, size_t size)
{
    const struct geometry *g = &j->program.at;
    const struct layout *l = &j->expected.layout;
    if (at < l->warps)
        snprintf(to, size, "thread %u of %u a workgroup, byte %u",
                 at / THREAD_B, g->warps * g->lanes, at % THREAD_B);
    else if (at < l->groups)
        snprintf(to, size, "warp %u, byte %u", (at - l->warps) / WARP_B,
                 (at - l->warps) % WARP_B);
    else if (at < l->private)
        snprintf(to, size, "workgroup %u, counter %u",
                 (at - l->groups) / GROUP_B, (at - l->groups) % GROUP_B / 4);
    else
        snprintf(to, size, "private memory, byte %u", at - l->private);
}

static void
compare(const struct job *j, struct ventus_dev *d, struct outcome *o)
{
    const struct layout *l = &j->expected.layout;
    uint8_t *got = malloc(l->size);
    char place[96];
    if (!ventus_dev_read(d, DATA, got, l->size))
        die("memory", ventus_dev_message());
    uint32_t at = 0;
    while (at < l->size && got[at] == j->expected.image[at])
        at++;
    if (at < l->size) {
        name_place(j, at, place, sizeof place);
        at &= ~3u;
        snprintf(o->wrong, sizeof o->wrong,
                 "%s: %02x%02x%02x%02x, expected %02x%02x%02x%02x", place,
                 got[at + 3], got[at + 2], got[at + 1], got[at],
                 j->expected.image[at + 3], j->expected.image[at + 2],
                 j->expected.image[at + 1], j->expected.image[at]);
    }
    free(got);
}

static void
prepare(const struct job *j, struct ventus_dev *d)
{
    static const uint8_t zero;
    uint32_t table[TABLE_WORDS];
    table_fill(table, j->program.seed);
    if (j->expected.layout.size > DATA_ROOM_B)
        die("a program", "it uses too much memory");
    if (!ventus_dev_write(d, CODE, j->code, j->code_B) ||
        !ventus_dev_write(d, TABLE, table, sizeof table) ||
        !ventus_dev_fill(d, DATA, &zero, 1, j->expected.layout.size))
        die("memory", ventus_dev_message());
}

bool
engine_run(unsigned engine, const struct job *j, struct outcome *o)
{
    const struct geometry *g = &j->program.at;
    struct ventus_dev *d = machine_of(engine, g->lanes);
    struct ventus_sim_launch bare = {
        .pc = CODE,
        .grid = { geometry_groups(g), 1, 1 },
        .warps = g->warps,
        .global = { g->items, 1, 1 },
        .local = { g->threads, 1, 1 },
        .local_size_B = 4 * g->warps * g->lanes,
        .pds_base = DATA + j->expected.layout.private,
        .pds_size_B = PRIVATE_B,
        .sgpr = 64,
        .vgpr = 256,
    };
    struct ventus_dev_result r;
    if (!d)
        return false;
    *o = (struct outcome){ .wrong = "" };
    prepare(j, d);
    if (!ventus_dev_run(
            d,
            &(struct ventus_dev_launch){ .work_dim = 1,
                                         .bare = &bare,
                                         .bare_name = "simt",
                                         .stats = engines[engine].counts },
            &r))
        snprintf(o->wrong, sizeof o->wrong, "%.1000s", r.message);
    else
        compare(j, d, o);
    o->instructions = r.stats.warp_instructions;
    o->max_stack = r.stats.max_stack;
    return true;
}
