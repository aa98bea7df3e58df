/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of "monitor": warps, lanes, the SIMT stack, barriers, ... */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "gdb/monitor.h"
#include "gdb/past.h"
#include "gdb/pixels.h"
#include "gdb/session.h"
#include "gdb/snapshot.h"
#include "gdb/stop_reply.h"
#include "gdb/target.h"

typedef unsigned long long ull;

static void
put_place(const struct gdb *g, uint64_t pc, struct buf *out)
{
    char place[256] = "";
    if (g->launch->describe)
        g->launch->describe(g->launch->describe_ctx, pc, place, sizeof place);
    buf_printf(out, "0x%08llx %s", (ull)pc, place);
}

/* ---- warps and lanes ---- */

static const char *
state_of(const struct sim_warp *w)
{
    switch (w->stop) {
    case STOP_SLICE:
        return "runs";
    case STOP_BARRIER:
        return "at a barrier";
    case STOP_END:
        return "has ended";
    case STOP_FAULT:
        return "faulted";
    }
    return "";
}

/* The number of a thread for GDB, "-" if it was not told of it. */
static const char *
name_of(const struct gdb *g, const struct gdb_thread *t, char text[24])
{
    uint64_t number = gdb_name_of(&g->names, g->m, t);
    snprintf(text, 24, "%llu", (ull)number);
    return number ? text : "-";
}

/* Each workgroup that runs, in order. */
static const struct sim_group *
next_group(const struct gdb *g, const struct sim_group *before)
{
    const struct sim_group *best = NULL;
    for (unsigned i = 0; i < g->m->run->resident; i++) {
        const struct sim_group *each = &g->m->k->group[i];
        if (g->m->busy[i] && (!before || each->number > before->number) &&
            (!best || each->number < best->number))
            best = each;
    }
    return best;
}

static void
show_warps(struct gdb *g, const char *rest, struct buf *out)
{
    (void)rest;
    buf_printf(out,
               "  group        warp  thread  lanes             state         "
               "place\n");
    for (const struct sim_group *each = NULL; (each = next_group(g, each));)
        for (unsigned i = 0; i < each->warps; i++) {
            const struct sim_warp *w = &each->warp[i];
            struct gdb_thread t = { each->number, i, 0 };
            bool current =
                g->thread.group == each->number && g->thread.warp == i;
            char at[40], name[24];
            snprintf(at, sizeof at, "(%u,%u,%u)", each->at[0], each->at[1],
                     each->at[2]);
            buf_printf(out, "%c %-12s %-5u %-7s %016llx  %-13s ",
                       current ? '*' : ' ', at, i, name_of(g, &t, name),
                       (ull)w->mask, state_of(w));
            put_place(g, gdb_warp_pc(w), out);
            buf_u8(out, '\n');
        }
}

/* "(8,0,0)", or that there is none. */
static void
put_item(const struct gdb *g, const struct gdb_thread *t, char *item,
         size_t size)
{
    uint64_t global[3], local[3];
    if (gdb_item_ids(g->m, g->launch, t, global, local))
        snprintf(item, size, "(%llu,%llu,%llu)", (ull)global[0], (ull)global[1],
                 (ull)global[2]);
    else
        snprintf(item, size, "none (all_lanes)");
}

static void
show_lanes(struct gdb *g, const char *rest, struct buf *out)
{
    const struct sim_warp *w = gdb_thread_warp(g->m, &g->thread);
    (void)rest;
    buf_printf(out, "  lane  thread  work-item            state       place\n");
    for (unsigned i = 0; i < w->num_thread; i++) {
        struct gdb_thread t = { w->group->number, w->id, i };
        char item[64], name[24];
        if (!(w->start_mask >> i & 1))
            continue;
        put_item(g, &t, item, sizeof item);
        buf_printf(out, "%c %-5u %-7s %-20s %-11s ",
                   i == g->thread.lane ? '*' : ' ', i, name_of(g, &t, name),
                   item, gdb_thread_active(w, i) ? "active" : "not active");
        put_place(g, gdb_thread_pc(w, i), out);
        buf_u8(out, '\n');
    }
}

static void
show_stack(struct gdb *g, const char *rest, struct buf *out)
{
    const struct sim_warp *w = gdb_thread_warp(g->m, &g->thread);
    (void)rest;
    buf_printf(out, "active  %016llx  ", (ull)w->mask);
    put_place(g, gdb_warp_pc(w), out);
    buf_printf(out, "\n%u of %u entries\n", w->depth, w->stack_max);
    for (unsigned i = w->depth; i-- > 0;) {
        buf_printf(out, "#%-5u  %016llx  ", w->depth - 1 - i,
                   (ull)w->stack[i].mask);
        put_place(g, w->stack[i].pc, out);
        buf_printf(out, ", until the join at 0x%08x\n", w->stack[i].rpc);
    }
}

static void
show_barriers(struct gdb *g, const char *rest, struct buf *out)
{
    bool any = false;
    (void)rest;
    for (const struct sim_group *each = NULL; (each = next_group(g, each));)
        for (unsigned i = 0; i < each->warps; i++) {
            const struct sim_warp *w = &each->warp[i];
            if (w->stop != STOP_BARRIER)
                continue;
            any = true;
            buf_printf(out, "group (%u,%u,%u) warp %u waits with %u threads ",
                       each->at[0], each->at[1], each->at[2], i,
                       w->wait.threads);
            if (w->wait.needs)
                buf_printf(out, "for %u at ", w->wait.needs);
            else
                buf_printf(out, "for all at ");
            put_place(g, w->barrier->pc, out);
            buf_u8(out, '\n');
        }
    if (!any)
        buf_printf(out, "no warp waits at a barrier\n");
}

/* ---- the launch ---- */

static void
show_kernel(struct gdb *g, const char *rest, struct buf *out)
{
    const struct gdb_launch *l = g->launch;
    const struct ventus_sim_launch *s = &g->m->run->launch;
    (void)rest;
    buf_printf(out, "kernel %s of %s\n", l->kernel, l->program);
    for (unsigned i = 0; i < 3; i++)
        buf_printf(out, "%s%llu", i ? "," : "global (", (ull)l->global[i]);
    for (unsigned i = 0; i < 3; i++)
        buf_printf(out, "%s%llu", i ? "," : ") local (", (ull)l->local[i]);
    for (unsigned i = 0; i < 3; i++)
        buf_printf(out, "%s%llu", i ? "," : ") offset (", (ull)l->offset[i]);
    buf_printf(out,
               ")\n%u warp%s of %u lanes in a work-group, %u bytes of local "
               "memory, %u of private memory a work-item\n",
               s->warps, text_plural(s->warps),
               g->m->run->sim->config.num_thread, s->local_size_B,
               s->pds_size_B);
    buf_printf(out, "group %llu begins next, of %llu\n", (ull)g->m->at.next,
               (ull)g->m->run->end);
}

static void
show_args(struct gdb *g, const char *rest, struct buf *out)
{
    const struct gdb_launch *l = g->launch;
    for (size_t i = 0; i < l->n_arguments; i++) {
        const struct gdb_argument *a = &l->arguments[i];
        if (*rest && strcmp(rest, a->name) != 0)
            continue;
        buf_printf(out, "%zu %s %s %s", i, a->kind, *a->type ? a->type : "?",
                   *a->name ? a->name : "?");
        if (a->bytes) {
            buf_printf(out, " =");
            for (uint64_t k = 0; k < a->size && k < 64; k++)
                buf_printf(out, " %02x", ((const uint8_t *)a->bytes)[k]);
        } else {
            buf_printf(out, " at 0x%llx", (ull)a->address);
            if (a->size)
                buf_printf(out, ", %llu bytes", (ull)a->size);
        }
        buf_u8(out, '\n');
    }
}

static void
show_sources(struct gdb *g, const char *rest, struct buf *out)
{
    (void)rest;
    for (size_t i = 0; i < g->launch->n_sources; i++)
        buf_printf(out, "%s\n", g->launch->sources[i].name);
}

/* ---- time ---- */

static void
show_time(struct gdb *g, const char *rest, struct buf *out)
{
    const struct gdb_machine *m = g->m;
    (void)rest;
    buf_printf(out,
               "instruction %llu of %llu that were executed; %zu "
               "snapshots, the first at %llu\n",
               (ull)m->at.time, (ull)m->frontier, m->snapshots,
               (ull)(m->snapshots ? m->snapshot[0].at.time : m->at.time));
}

static void
put_no_write(const struct gdb_machine *m, struct buf *out)
{
    uint64_t first = m->snapshots ? m->snapshot[0].at.time : m->at.time;
    if (!first)
        buf_printf(out, "no write since the launch began\n");
    else
        buf_printf(out,
                   "no write since instruction %llu, where the history begins: "
                   "a change by hand discards what was before\n",
                   (ull)first);
}

/* ADDRESS [SIZE]: as the current thread sees it. */
static void
show_writer(struct gdb *g, const char *rest, struct buf *out)
{
    char *end;
    uint64_t address = strtoull(rest, &end, 0), time;
    uint64_t size = *end == ' ' ? strtoull(end, &end, 0) : 1;
    struct gdb_thread who;
    uint32_t pc;
    if (end == rest || *end || !size) {
        buf_printf(out, "expected an address and a size, found '%s'\n", rest);
        return;
    }
    struct gdb_watchpoint w = { .asked = address,
                                .size = size,
                                .kind = GDB_WATCH_WRITE,
                                .group = g->thread.group };
    w.address = gdb_memory_address(g->m, &g->thread, address);
    if (!gdb_last_write(g->m, g->launch, &w, &time, &who, &pc)) {
        put_no_write(g->m, out);
        return;
    }
    char item[64];
    uint64_t number = gdb_name_of(&g->names, g->m, &who);
    put_item(g, &who, item, sizeof item);
    buf_printf(out, "work-item %s, ", item);
    if (number)
        buf_printf(out, "thread %llu, ", (ull)number);
    buf_printf(out, "%llu instruction%s ago, at ", (ull)(g->m->at.time - time),
               text_plural(g->m->at.time - time));
    put_place(g, pc, out);
    buf_u8(out, '\n');
}

/* ---- other launches ---- */

static void
show_launches(struct gdb *g, const char *rest, struct buf *out)
{
    uint64_t at;
    const struct gdb_past *past = gdb_past_of(g, &at);
    (void)rest;
    if (!past) {
        buf_printf(out, "launches before this one are not kept\n");
        return;
    }
    for (uint64_t i = past->first; i < past->number; i++)
        buf_printf(out, "%c %-6llu %s\n", i == at ? '*' : ' ', (ull)i,
                   past->kernel(past->ctx, i));
    buf_printf(out, "%c %-6llu %s, the present launch\n",
               at == past->number ? '*' : ' ', (ull)past->number,
               past->kernel(past->ctx, past->number));
}

/* N: GDB learns of it when the launch continues. */
static void
choose_launch(struct gdb *g, const char *rest, struct buf *out)
{
    uint64_t at;
    const struct gdb_past *past = gdb_past_of(g, &at);
    char *end;
    uint64_t n = strtoull(rest, &end, 0);
    if (!past || end == rest || *end || n < past->first || n > past->number) {
        buf_printf(out,
                   "expected a launch that `monitor launches` shows, "
                   "found '%s'\n",
                   rest);
        return;
    }
    g->visit.wanted = n;
    g->visit.jumps = true;
    buf_printf(out, "continue goes to the beginning of launch %llu\n", (ull)n);
}

/* ---- instructions ---- */

/* [ADDRESS [COUNT]]: GDB does not know the custom instructions. */
static void
show_code(struct gdb *g, const char *rest, struct buf *out)
{
    const struct sim_warp *w = gdb_thread_warp(g->m, &g->thread);
    char *end = (char *)(uintptr_t)rest;
    uint64_t at =
        *rest ? strtoull(rest, &end, 0) : gdb_thread_pc(w, g->thread.lane);
    unsigned long n = *end == ' ' ? strtoul(end, &end, 0) : 8;
    for (; n && at < UINT32_MAX; n--) {
        uint32_t words[2];
        size_t there = gdb_memory_read(g->m, &g->thread, at, words, 8) / 4;
        struct ventus_isa_insn in;
        char text[128];
        unsigned used = there ? ventus_isa_decode(g->m->run->sim->config.isa,
                                                  words, (unsigned)there, &in)
                              : 0;
        if (!there)
            return;
        if (used)
            ventus_isa_print(&in, NULL, text, sizeof text);
        else
            snprintf(text, sizeof text, ".word 0x%08x", words[0]);
        bool here = at == gdb_thread_pc(w, g->thread.lane);
        buf_printf(out, "%s ", here ? "=>" : "  ");
        put_place(g, at, out);
        buf_printf(out, ": %s\n", text);
        at += 4 * (used ? used : 1);
    }
}

/* ---- threads ---- */

/* GDB's Python sends it when H g names the thread that the user has selected. */
static void
choose_thread(struct gdb *g, const char *rest, struct buf *out)
{
    (void)rest, (void)out;
    g->chosen = g->favours = true;
}

/* ---- all of them ---- */

static void
show_help(struct gdb *g, const char *rest, struct buf *out);

static const struct {
    const char *name, *what;
    void (*show)(struct gdb *g, const char *rest, struct buf *out);
} commands[] = {
    { "help", "this list", show_help },
    { "warps", "all warps: active lanes, state, place", show_warps },
    { "lanes", "the work-items of the current thread's warp", show_lanes },
    { "stack", "the SIMT stack of its warp", show_stack },
    { "barriers", "which warps wait at a barrier", show_barriers },
    { "kernel", "the launch: sizes, memory", show_kernel },
    { "args", "[NAME]: the arguments, by name", show_args },
    { "image", "[NAME [X[,Y[,Z]] [COUNT]]]: images, and pixels of one",
      gdb_show_image },
    { "sources",
      "sources that the program has: remote get "
      "/ventus/source/NAME FILE",
      show_sources },
    { "dis", "[ADDRESS [COUNT]]: instructions, from the pc on", show_code },
    { "time", "how many instructions were executed; snapshots", show_time },
    { "launches", "launches before this one that GDB can go to",
      show_launches },
    { "launch", "N: to the beginning of launch N, with the next continue",
      choose_launch },
    { "this-thread", "GDB has selected the thread that it has just read",
      choose_thread },
    { "who-wrote", "ADDRESS [SIZE]: the last writer of these bytes",
      show_writer },
};

static void
show_help(struct gdb *g, const char *rest, struct buf *out)
{
    (void)g, (void)rest;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        buf_printf(out, "monitor %-10s %s\n", commands[i].name,
                   commands[i].what);
}

void
gdb_monitor(struct gdb *g, const char *command, struct buf *out)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        size_t n = strlen(commands[i].name);
        if (strncmp(command, commands[i].name, n) != 0 ||
            (command[n] && command[n] != ' '))
            continue;
        const char *rest = command + n + strspn(command + n, " ");
        const struct gdb_thread named = g->thread; /* GDB believes in it */
        g->thread = gdb_current_thread(g);
        commands[i].show(g, rest, out);
        g->thread = named;
        if (commands[i].show == choose_thread)
            g->favoured = named;
        return;
    }
    buf_printf(out, "unknown command '%s': try monitor help\n", command);
}
