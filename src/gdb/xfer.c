/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries (GDB manual, E.4): what the stub supports, descriptions of the
 * target, threads and programs.  GDB reads the program itself by vFile (E.7).
 */
#include <stdlib.h>
#include <string.h>

#include "gdb/monitor.h"
#include "gdb/session.h"
#include "gdb/target.h"
#include "gdb/xfer.h"

static void
put(struct gdb *g, const char *text)
{
    buf_put(&g->reply, text, strlen(text));
}

/* ---- documents ---- */

static void
put_xml(struct buf *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            buf_printf(out, "&lt;");
            break;
        case '>':
            buf_printf(out, "&gt;");
            break;
        case '&':
            buf_printf(out, "&amp;");
            break;
        case '"':
            buf_printf(out, "&quot;");
            break;
        default:
            buf_u8(out, (uint8_t)*text);
            break;
        }
}

static void
name_thread(const struct gdb *g, const struct gdb_thread *t, struct buf *out)
{
    uint64_t global[3], local[3];
    const struct sim_warp *w = gdb_thread_warp(g->m, t);
    if (gdb_item_ids(g->m, g->launch, t, global, local))
        buf_printf(out, "item (%llu,%llu,%llu)", (unsigned long long)global[0],
                   (unsigned long long)global[1],
                   (unsigned long long)global[2]);
    else
        buf_printf(out, "no item (all_lanes)");
    buf_printf(out, " group (%u,%u,%u) warp %u lane %u", w->group->at[0],
               w->group->at[1], w->group->at[2], t->warp, t->lane);
    buf_printf(out, "%s",
               w->stop == STOP_BARRIER          ? ", at a barrier"
               : !gdb_thread_active(w, t->lane) ? ", not active"
                                                : "");
}

/* Made for the first part: a thousand threads have twenty. */
static void
list_threads(struct gdb *g, bool first)
{
    struct buf *out = &g->threads;
    if (!first)
        return;
    out->n = 0;
    buf_printf(out, "<?xml version=\"1.0\"?>\n<threads>\n");
    gdb_names_list(&g->names, g->m);
    for (uint64_t n = 0; (n = gdb_thread_next(g->m, n));) {
        struct gdb_thread t;
        gdb_thread_of(g->m, n, &t);
        buf_printf(out, "<thread id=\"%llx\">",
                   (unsigned long long)gdb_name_of(&g->names, g->m, &t));
        name_thread(g, &t, out);
        buf_printf(out, "</thread>\n");
    }
    buf_printf(out, "</threads>\n");
}

/* The program of the launch is the only one: all are linked to one address. */
static void
list_programs(struct gdb *g, struct buf *out)
{
    g->known = g->launch->id;
    buf_printf(out, "<library-list version=\"1.0\">\n<library name=\"/ventus/");
    buf_printf(out, "%llu/", (unsigned long long)g->launch->id);
    put_xml(out, g->launch->program);
    buf_printf(out,
               "\"><segment address=\"0x%llx\"/></library>\n"
               "</library-list>\n",
               (unsigned long long)g->launch->code);
}

/* offset,length of a document that was made. */
static void
put_part(struct gdb *g, struct gdb_text *t, const struct buf *document)
{
    uint64_t offset, size;
    if (!gdb_take_number(t, &offset) || !gdb_take_text(t, ",") ||
        !gdb_take_number(t, &size)) {
        put(g, "E01");
        return;
    }
    size = size < GDB_PACKET_MAX / 4 ? size : GDB_PACKET_MAX / 4;
    uint64_t left = offset < document->n ? document->n - offset : 0;
    buf_u8(&g->reply, left > size ? 'm' : 'l');
    gdb_put_escaped(&g->reply, document->at + (left ? offset : 0),
                    (size_t)(left < size ? left : size));
}

static bool
transfer(struct gdb *g, struct gdb_text *t)
{
    struct buf *out = &g->output;
    out->n = 0;
    if (gdb_take_text(t, "features:read:target.xml:"))
        gdb_target_describe(g->m, out);
    else if (gdb_take_text(t, "threads:read::")) {
        list_threads(g, t->end - t->at > 1 && strncmp(t->at, "0,", 2) == 0);
        put_part(g, t, &g->threads);
        return true;
    } else if (gdb_take_text(t, "libraries:read::"))
        list_programs(g, out);
    else
        return false;

    put_part(g, t, out);
    out->n = 0;
    return true;
}

/* ---- the program as a file ---- */

/*
 * Files that GDB reads: descriptor 1 is the program, 2 + i the source i.  The
 * name is in hexadecimal.  0: there is no such file.
 */
static unsigned
find_file(const struct gdb *g, struct gdb_text t)
{
    const struct gdb_launch *l = g->launch;
    char name[1024], wanted[1024];
    size_t n = 0;
    while (n + 1 < sizeof name && gdb_take_bytes(&t, name + n, 1))
        n++;
    name[n] = 0;
    snprintf(wanted, sizeof wanted, "/ventus/%llu/%s",
             (unsigned long long)l->id, l->program);
    if (strcmp(name, wanted) == 0)
        return 1;
    for (size_t i = 0; i < l->n_sources; i++) {
        snprintf(wanted, sizeof wanted, "/ventus/source/%s",
                 l->sources[i].name);
        if (strcmp(name, wanted) == 0)
            return (unsigned)i + 2;
    }
    return 0;
}

static const void *
file_of(const struct gdb *g, uint64_t fd, size_t *size)
{
    const struct gdb_launch *l = g->launch;
    *size = 0;
    if (fd == 1) {
        *size = l->elf_B;
        return l->elf;
    }
    if (fd < 2 || fd - 2 >= l->n_sources)
        return NULL;
    *size = strlen(l->sources[fd - 2].text);
    return l->sources[fd - 2].text;
}

static void
put_u(struct buf *out, uint64_t x, unsigned bytes)
{
    while (bytes--)
        buf_u8(out, (uint8_t)(x >> 8 * bytes));
}

/* struct stat of the protocol (GDB manual, E.13.6): the size is what counts. */
static void
put_stat(struct gdb *g, struct gdb_text *t)
{
    struct buf stat = { 0 };
    uint64_t fd = 0;
    size_t size;
    gdb_take_number(t, &fd);
    file_of(g, fd, &size);
    put_u(&stat, 0, 8);       /* device, inode */
    put_u(&stat, 0100444, 4); /* a file to be read */
    put_u(&stat, 1, 4);       /* links */
    buf_fill(&stat, 0, 12);   /* user, group, device */
    put_u(&stat, size, 8);
    put_u(&stat, 4096, 8); /* block size */
    put_u(&stat, size / 512 + 1, 8);
    buf_fill(&stat, 0, 12); /* times */
    buf_printf(&g->reply, "F%zx;", stat.n);
    gdb_put_escaped(&g->reply, stat.at, stat.n);
    buf_free(&stat);
}

static void
read_file(struct gdb *g, struct gdb_text *t)
{
    uint64_t fd, size, offset;
    size_t all = 0, most = GDB_PACKET_MAX / 4;
    const uint8_t *at = NULL;
    if (gdb_take_number(t, &fd) && gdb_take_text(t, ",") &&
        gdb_take_number(t, &size) && gdb_take_text(t, ",") &&
        gdb_take_number(t, &offset))
        at = file_of(g, fd, &all);
    if (!at) {
        put(g, "F-1,9"); /* EBADF */
        return;
    }
    size_t left = offset < all ? all - (size_t)offset : 0;
    size = size < left ? size : left;
    size = size < most ? size : most;
    buf_printf(&g->reply, "F%llx;", (unsigned long long)size);
    gdb_put_escaped(&g->reply, at + (size ? offset : 0), (size_t)size);
}

bool
gdb_file_request(struct gdb *g, struct gdb_text *t)
{
    if (gdb_take_text(t, "open:")) {
        unsigned fd = find_file(g, *t);
        if (fd)
            buf_printf(&g->reply, "F%x", fd);
        else
            put(g, "F-1,2"); /* ENOENT */
    } else if (gdb_take_text(t, "pread:")) {
        read_file(g, t);
    } else if (gdb_take_text(t, "fstat:")) {
        put_stat(g, t);
    } else if (gdb_take_text(t, "setfs:") || gdb_take_text(t, "close:")) {
        put(g, "F0");
    } else {
        return false;
    }
    return true;
}

/* ---- other queries ---- */

static void
put_threads(struct gdb *g)
{
    gdb_names_list(&g->names, g->m);
    buf_u8(&g->reply, 'm');
    for (uint64_t n = 0, first = 1; (n = gdb_thread_next(g->m, n)); first = 0) {
        struct gdb_thread t;
        gdb_thread_of(g->m, n, &t);
        buf_printf(&g->reply, "%s%llx", first ? "" : ",",
                   (unsigned long long)gdb_name_of(&g->names, g->m, &t));
    }
}

static void
put_thread_name(struct gdb *g, struct gdb_text *t)
{
    uint64_t number;
    struct gdb_thread thread;
    if (!gdb_take_number(t, &number) ||
        !gdb_named(&g->names, g->m, number, &thread)) {
        put(g, "E01");
        return;
    }
    g->output.n = 0;
    name_thread(g, &thread, &g->output);
    gdb_put_hex(&g->reply, g->output.at, g->output.n);
    g->output.n = 0;
}

static void
run_monitor(struct gdb *g, struct gdb_text *t)
{
    char command[512];
    size_t n = 0;
    while (n + 1 < sizeof command && gdb_take_bytes(t, command + n, 1))
        n++;
    command[n] = 0;
    struct buf out = { 0 };
    gdb_monitor(g, command, &out);
    if (out.n)
        gdb_put_hex(&g->reply, out.at, out.n);
    else
        put(g, "OK");
    buf_free(&out);
}

bool
gdb_query(struct gdb *g, struct gdb_text *t)
{
    if (gdb_take_text(t, "Supported")) {
        buf_printf(&g->reply,
                   "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;"
                   "qXfer:threads:read+;qXfer:libraries:read+;vContSupported+;"
                   "swbreak+;hwbreak+;ConditionalBreakpoints+;"
                   "ReverseStep+;ReverseContinue+",
                   GDB_PACKET_MAX);
    } else if (gdb_take_text(t, "Xfer:")) {
        return transfer(g, t);
    } else if (gdb_take_text(t, "fThreadInfo")) {
        put_threads(g);
    } else if (gdb_take_text(t, "sThreadInfo")) {
        put(g, "l");
    } else if (gdb_take_text(t, "ThreadExtraInfo,")) {
        put_thread_name(g, t);
    } else if (gdb_take_text(t, "Rcmd,")) {
        run_monitor(g, t);
    } else if (gdb_take_text(t, "Attached")) {
        put(g, "0");
    } else if (gdb_take_text(t, "Symbol")) {
        put(g, "OK");
    } else if (t->at < t->end && *t->at == 'C' && t->at + 1 == t->end) {
        buf_printf(
            &g->reply, "QC%llx",
            (unsigned long long)gdb_name_told(&g->names, g->m, &g->thread));
    } else {
        return false;
    }
    return true;
}
