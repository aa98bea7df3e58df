/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets about threads, registers, memory, breakpoints, continuation (GDB manual,
 * E.2, E.3).  An unknown request gets an empty reply.
 */
#include <stdlib.h>
#include <string.h>

#include "gdb/requests.h"
#include "gdb/session.h"
#include "gdb/stop_reply.h"
#include "gdb/target.h"
#include "gdb/xfer.h"

enum { MEMORY_MAX = 1 << 15 }; /* bytes of one reply */

static void
put(struct gdb *g, const char *text)
{
    buf_put(&g->reply, text, strlen(text));
}

static void
put_ok(struct gdb *g, bool ok)
{
    put(g, ok ? "OK" : "E01");
}

/* ---- threads ---- */

/* "-1" is all and "0" any: false, and *all. */
static bool
take_thread(struct gdb *g, struct gdb_text *t, struct gdb_thread *thread,
            bool *all)
{
    uint64_t number;
    *all = gdb_take_text(t, "-1");
    if (*all || !gdb_take_number(t, &number))
        return false;
    *all = number == 0;
    return !*all && gdb_named(&g->names, g->m, number, thread);
}

static void
name_thread(struct gdb *g, const struct gdb_thread *thread)
{
    bool same =
        gdb_thread_number(g->m, thread) == gdb_thread_number(g->m, &g->thread);
    g->others += !same && g->others < 2;
    g->chosen &= same;
    g->thread = *thread;
}

static void
select_thread(struct gdb *g, struct gdb_text *t)
{
    bool resumes = gdb_take_text(t, "c"), all;
    struct gdb_thread thread;
    if (!resumes && !gdb_take_text(t, "g"))
        return;
    bool one = take_thread(g, t, &thread, &all);
    if (one && resumes)
        g->resumed = thread;
    else if (one)
        name_thread(g, &thread);
    if (resumes && (one || all))
        g->any_resumed = all;
    put_ok(g, one || all);
}

static void
ask_alive(struct gdb *g, struct gdb_text *t)
{
    struct gdb_thread thread;
    bool all;
    put_ok(g, take_thread(g, t, &thread, &all));
}

/* ---- registers ---- */

static void
read_registers(struct gdb *g)
{
    uint8_t value[GDB_REG_MAX_B];
    for (unsigned i = 0; i < GDB_REG_FIRST; i++) {
        size_t n = gdb_register_read(g->m, g->launch, &g->thread, i, value);
        gdb_put_hex(&g->reply, value, n);
    }
}

static void
write_registers(struct gdb *g, struct gdb_text *t)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < GDB_REG_FIRST; i++) {
        uint8_t value[GDB_REG_MAX_B];
        size_t n = gdb_register_read(g->m, g->launch, &g->thread, i, value);
        ok = gdb_take_bytes(t, value, n) &&
             gdb_register_write(g->m, &g->thread, i, value, n);
    }
    put_ok(g, ok);
}

static void
read_register(struct gdb *g, struct gdb_text *t)
{
    uint8_t value[GDB_REG_MAX_B];
    uint64_t number;
    size_t n = 0;
    if (gdb_take_number(t, &number) && number < UINT32_MAX)
        n = gdb_register_read(g->m, g->launch, &g->thread, (unsigned)number,
                              value);
    gdb_put_hex(&g->reply, value, n);
    if (!n)
        put(g, "E01");
}

static void
write_register(struct gdb *g, struct gdb_text *t)
{
    uint8_t value[GDB_REG_MAX_B];
    uint64_t number;
    bool ok = gdb_take_number(t, &number) && gdb_take_text(t, "=");
    size_t size = ok ? (size_t)(t->end - t->at) / 2 : 0;
    ok = ok && number < UINT32_MAX && size <= sizeof value &&
         gdb_take_bytes(t, value, size) &&
         gdb_register_write(g->m, &g->thread, (unsigned)number, value, size);
    put_ok(g, ok);
}

/* ---- memory ---- */

static bool
take_range(struct gdb_text *t, uint64_t *address, uint64_t *size)
{
    return gdb_take_number(t, address) && gdb_take_text(t, ",") &&
           gdb_take_number(t, size);
}

static void
read_memory(struct gdb *g, struct gdb_text *t)
{
    uint64_t address, size;
    uint8_t part[256];
    size_t done = 0;
    bool ok = take_range(t, &address, &size) && size <= MEMORY_MAX;
    while (ok && done < size) {
        size_t want = size - done < sizeof part ? size - done : sizeof part;
        size_t n =
            gdb_memory_read(g->m, &g->thread, address + done, part, want);
        gdb_put_hex(&g->reply, part, n);
        done += n;
        ok = n == want;
    }
    if (!done && (!ok || size))
        put(g, "E14");
}

/* `hex`: packet M; else X, whose bytes are as they are. */
static void
write_memory(struct gdb *g, struct gdb_text *t, bool hex)
{
    uint64_t address, size;
    bool ok = take_range(t, &address, &size) && gdb_take_text(t, ":");
    size_t there = ok ? (size_t)(t->end - t->at) / (hex ? 2 : 1) : 0;
    if (!ok || there < size) {
        put(g, "E01");
        return;
    }
    uint8_t *bytes = buf_extend(&g->output, (size_t)size);
    if (hex)
        ok = gdb_take_bytes(t, bytes, (size_t)size);
    else
        memcpy(bytes, t->at, (size_t)size);
    ok = ok && gdb_memory_write(g->m, &g->thread, address, bytes,
                                (size_t)size) == size;
    g->output.n = 0;
    put(g, ok ? "OK" : "E14");
}

/* ---- breakpoints ---- */

static bool
is_code(struct gdb *g, uint64_t pc)
{
    enum ventus_sim_fault_kind why;
    return pc <= UINT32_MAX && pc % 4 == 0 &&
           code_page(g->m->k, (uint32_t)pc, &why) != NULL;
}

enum { WATCH_MAX = 1 << 20, WATCH_PRIVATE_MAX = 1 << 12 }; /* bytes */

/* Words of private memory do not lie in a row: each is a range of its own. */
static bool
add_watch(struct gdb *g, uint64_t address, uint64_t size, enum gdb_watch kind)
{
    struct gdb_watchpoint w = { .asked = address,
                                .asked_B = size,
                                .kind = kind,
                                .group = g->thread.group };
    bool whole = gdb_memory_address(g->m, &g->thread, address) == address;
    if (!size || size > (whole ? WATCH_MAX : WATCH_PRIVATE_MAX))
        return false;
    for (uint64_t done = 0; done < size; done += w.size) {
        uint64_t at = address + done, left = size - done;
        w.size = whole || left < 4 - at % 4 ? left : 4 - at % 4;
        w.address = gdb_memory_address(g->m, &g->thread, at);
        if (!gdb_stops_add_watch(&g->stops, &w)) {
            gdb_stops_remove_watch(&g->stops, address, size, kind);
            return false;
        }
    }
    return true;
}

/* Z and z: type,address,kind and conditions. */
static void
change_stop(struct gdb *g, struct gdb_text *t, bool adds)
{
    uint64_t type, address, size;
    bool ok = gdb_take_number(t, &type) && gdb_take_text(t, ",") &&
              take_range(t, &address, &size);
    if (ok && type > GDB_WATCH_ACCESS)
        return; /* not known */
    bool code = ok && type < GDB_WATCH_WRITE;
    if (ok && !code && adds)
        ok = add_watch(g, address, size, (enum gdb_watch)type);
    else if (ok && !code)
        gdb_stops_remove_watch(&g->stops, address, size, (enum gdb_watch)type);
    else if (ok && adds)
        ok = is_code(g, address) &&
             gdb_stops_add_break(&g->stops, (uint32_t)address, t->at);
    else if (ok)
        gdb_stops_remove_break(&g->stops, (uint32_t)address);
    put_ok(g, ok);
}

/* ---- going on ---- */

/* The thread of H c steps or continues; with no such thread, the current one. */
static enum gdb_next
go_as_selected(struct gdb *g, bool steps, enum gdb_next next)
{
    g->resume = (struct gdb_resume){ .steps = steps, .prefers = true };
    g->resume.thread = gdb_current_thread(g);
    struct gdb_thread found;
    uint64_t number = gdb_thread_number(g->m, &g->resumed);
    if (!g->any_resumed && gdb_thread_of(g->m, number, &found))
        g->resume.thread = found;
    return next;
}

struct action {
    char what; /* c, s, r, t */
    bool one;  /* of `thread`; else of all */
    struct gdb_thread thread;
    uint64_t from, to;
};

/* ;s:5  ;c  ;r8000,8010:5  ;C0b */
static bool
take_action(struct gdb *g, struct gdb_text *t, struct action *a)
{
    uint64_t signal;
    *a = (struct action){ .what = 0 };
    if (!gdb_take_text(t, ";") || t->at == t->end)
        return false;
    a->what = *t->at++;
    if (a->what == 'C' || a->what == 'S') {
        a->what = a->what == 'C' ? 'c' : 's';
        if (!gdb_take_number(t, &signal))
            return false;
    }
    if (a->what == 'r' && !take_range(t, &a->from, &a->to))
        return false;
    if (gdb_take_text(t, ":")) {
        bool all;
        a->one = take_thread(g, t, &a->thread, &all);
        if (!a->one && !all)
            return false;
    }
    return (t->at == t->end || *t->at == ';') && strchr("csrt", a->what);
}

/* vCont;...: the first action that names a thread is that thread's. */
static enum gdb_next
go_by_actions(struct gdb *g, struct gdb_text *t)
{
    bool others = false, named = false;
    struct gdb_resume *how = &g->resume;
    *how =
        (struct gdb_resume){ .prefers = true, .thread = gdb_current_thread(g) };
    while (t->at < t->end) {
        struct action a;
        if (!take_action(g, t, &a)) {
            put(g, "E01");
            return GDB_WAIT;
        }
        if (a.what == 't')
            continue;
        others |= !a.one && a.what == 'c';
        if (named || (!a.one && a.what == 'c'))
            continue;
        named = true;
        how->steps = a.what != 'c';
        how->from = (uint32_t)a.from;
        how->to = (uint32_t)a.to;
        if (a.one)
            how->thread = a.thread;
    }
    how->only = named && !others;
    if (!how->steps && g->favours)
        how->thread = g->favoured;
    return GDB_GO;
}

/* ---- dispatch ---- */

static enum gdb_next
request_v(struct gdb *g, struct gdb_text *t)
{
    if (gdb_take_text(t, "Cont?")) {
        put(g, "vCont;c;C;s;S;t;r");
    } else if (gdb_take_text(t, "Cont")) {
        return go_by_actions(g, t);
    } else if (gdb_take_text(t, "Kill")) {
        g->kills = true;
        put(g, "OK");
        return GDB_LEAVE;
    } else if (gdb_take_text(t, "File:")) {
        gdb_file_request(g, t);
    }
    return GDB_WAIT;
}

static enum gdb_next
request_b(struct gdb *g, struct gdb_text *t)
{
    if (gdb_take_text(t, "s"))
        return go_as_selected(g, true, GDB_GO_BACK);
    return gdb_take_text(t, "c") ? go_as_selected(g, false, GDB_GO_BACK)
                                 : GDB_WAIT;
}

/* False: it is no request about state. */
static bool
request_state(struct gdb *g, char c, struct gdb_text *t)
{
    switch (c) {
    case '?':
        gdb_put_stop(g);
        break;
    case 'g':
        read_registers(g);
        break;
    case 'G':
        write_registers(g, t);
        break;
    case 'p':
        read_register(g, t);
        break;
    case 'P':
        write_register(g, t);
        break;
    case 'm':
        read_memory(g, t);
        break;
    case 'M':
        write_memory(g, t, true);
        break;
    case 'X':
        write_memory(g, t, false);
        break;
    case 'H':
        select_thread(g, t);
        break;
    case 'T':
        ask_alive(g, t);
        break;
    case 'Z':
        change_stop(g, t, true);
        break;
    case 'z':
        change_stop(g, t, false);
        break;
    case 'q':
        gdb_query(g, t);
        break;
    default:
        return false;
    }
    return true;
}

enum gdb_next
gdb_request(struct gdb *g, const char *packet, size_t size)
{
    struct gdb_text t = { packet, packet + size };
    g->reply.n = 0;
    struct gdb_thread found;
    uint64_t number = gdb_thread_number(g->m, &g->thread);
    if (!gdb_thread_of(g->m, number, &found))
        g->thread = g->stop.thread; /* it has ended meanwhile */
    if (!size)
        return GDB_WAIT;
    char c = *t.at++;
    if (request_state(g, c, &t))
        return GDB_WAIT;
    switch (c) {
    case 'c':
    case 'C':
        return go_as_selected(g, false, GDB_GO);
    case 's':
    case 'S':
        return go_as_selected(g, true, GDB_GO);
    case 'b':
        return request_b(g, &t);
    case 'v':
        return request_v(g, &t);
    case 'Q':
        if (gdb_take_text(&t, "StartNoAckMode")) {
            put(g, "OK");
            g->no_ack = true;
        }
        return GDB_WAIT;
    case 'k':
        g->kills = true;
        return GDB_LEAVE;
    case 'D':
        put(g, "OK");
        return GDB_LEAVE;
    default:
        return GDB_WAIT;
    }
}
