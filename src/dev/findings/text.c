/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A finding as text:
 *
 *     ventus: race: data race on 4 bytes in argument 1 'sum', 64 bytes, ...
 *       read by work-item (32,0,0) of work-group (0,0,0), warp 1, lane 0
 *         at scan+0x64 (scan.cl:7): vlw12.v v3, 0(v2)
 *              7 | sum[id] += sum[id - 1];
 *       and write by ...
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "dbg/profile.h"
#include "dev/fault.h"
#include "dev/findings/findings.h"
#include "dev/nearest.h"
#include "dev/places.h"
#include "dev/program.h"
#include "obj/dwarf_calls.h"
#include "obj/report.h"

/* ---- finding the words ---- */

/* A copy without its folders: programs from source have none of their own. */
static const char *
file_name(struct arena *a, const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return path ? arena_printf(a, "%s", slash ? slash + 1 : path) : NULL;
}

static const char *
trimmed(struct arena *a, const char *line)
{
    const char *from = line ? line + strspn(line, " \t") : NULL;
    return from ? arena_strndup(a, from, strcspn(from, "\r\n")) : NULL;
}

static void
describe_calls(struct arena *a, const struct ventus_dev_ticket *t, uint64_t pc,
               struct finding_side *to)
{
    const struct ventus_dev_program *p = t->launch.kernel->program;
    const struct dwarf_lines *lines = program_lines(p);
    struct dwarf_calls calls;
    dwarf_calls_find(a, program_elf(p), pc, &calls);
    to->call = calls.n ? arena_new(a, struct finding_call, calls.n) : NULL;
    for (size_t i = 0; i < calls.n; i++) {
        const struct dwarf_call *from = &calls.at[i];
        struct finding_call *c = &to->call[to->calls++];
        const struct dwarf_file *f =
            dwarf_table_file(lines, from->line_table, from->file);
        c->function = arena_printf(a, "%s", report_printable(a, from->name));
        c->line = from->line;
        c->file = f ? file_name(a, dwarf_file_path(a, f)) : NULL;
        c->source = f ? trimmed(a, dwarf_file_line(a, f, from->line)) : NULL;
    }
}

static void
describe_place(struct arena *a, const struct ventus_dev_ticket *t, uint64_t pc,
               struct finding_side *to)
{
    struct profile_place place = { 0 };
    if (!pc || !program_place(t->launch.kernel->program, a, pc, &place))
        return;
    to->symbol = place.symbol;
    to->file = file_name(a, place.file);
    to->line = place.line;
    to->column = place.column;
    to->source = trimmed(a, place.text);
    describe_calls(a, t, pc, to);
}

static void
describe_side(struct arena *a, const struct ventus_dev_ticket *t,
              const struct sanitize_party *p, struct finding_side *to)
{
    struct ventus_dev_fault f = { .warp = p->warp, .lane = p->lane };
    const uint32_t *grid = t->run.launch.grid;
    to->access = arena_printf(a, "%s%s", p->atomic ? "atomic " : "",
                              p->write ? "write" : "read");
    to->warp = p->warp;
    to->lane = p->lane;
    f.group[0] = p->group % grid[0];
    f.group[1] = p->group / grid[0] % grid[1];
    f.group[2] = p->group / grid[0] / grid[1];
    memcpy(to->group, f.group, sizeof to->group);
    bool lane = p->lane >= 0 && f.group[2] < grid[2];
    to->has_item = lane && fault_find_item(t, &f);
    to->idle = lane && !to->has_item;
    if (to->has_item)
        memcpy(to->item, f.item, sizeof to->item);
    describe_place(a, t, p->pc, to);
}

/* An access of memory that the device has no allocation for, and that is there. */
static bool
is_of_host(const struct ventus_dev_ticket *t, const struct sanitize_finding *f)
{
    return nearest_may_be_host(t, f->address) &&
           (f->what == SANITIZE_PERMISSION || f->what == SANITIZE_DATA_RACE);
}

static const char *
describe_memory(struct arena *a, const struct ventus_dev_ticket *t,
                const struct sanitize_finding *f)
{
    struct ventus_dev_result r = { .ok = true };
    if (!f->has_address)
        return "";
    if (f->private)
        return arena_printf(a,
                            "%u byte%s at offset %" PRIu64
                            " of private memory, of which a "
                            "work-item has %u bytes",
                            f->size_B, text_plural(f->size_B), f->address,
                            (unsigned)t->run.launch.pds_size_B);
    text_append(r.message, sizeof r.message, "%u byte%s at 0x%08" PRIx64,
                f->size_B, text_plural(f->size_B), f->address);
    r.fault.address = f->address;
    size_t n = strlen(r.message);
    if (f->what != SANITIZE_DATA_RACE && f->what != SANITIZE_MISALIGNED)
        nearest_append(t, &r);
    if (!r.message[n]) {
        text_append(r.message, sizeof r.message, ", ");
        if (!nearest_inside(t, &r))
            r.message[n] = 0;
        if (!r.message[n] && is_of_host(t, f))
            text_append(r.message, sizeof r.message,
                        ", in memory of the host program%s",
                        f->what == SANITIZE_PERMISSION ? ", which is read only"
                                                       : "");
    }
    return arena_printf(a, "%s", r.message);
}

void
finding_describe(struct arena *a, const struct ventus_dev_ticket *t,
                 const struct sanitize_finding *f, struct finding *to)
{
    char insn[VENTUS_ISA_TEXT_MAX];
    *to = (struct finding){
        .what = f->what,
        .id = sanitize_id(f->what),
        .text = sanitize_text(f->what),
        .kernel = arena_printf(a, "%s", t->launch.kernel->name),
        .has_other = f->other.known,
        .note = f->note ? arena_printf(a, "%s", f->note) : NULL
    };
    describe_side(a, t, &f->here, &to->here);
    if (f->in.op) {
        ventus_isa_print(&f->in, NULL, insn, sizeof insn);
        to->here.insn = arena_printf(a, "%s", insn);
    }
    if (f->other.known)
        describe_side(a, t, &f->other, &to->other);
    to->where = describe_memory(a, t, f);
    const struct space_range *r = f->has_address && !f->private
                                      ? nearest_allocation(t, f->address)
                                      : NULL;
    to->call_site = r ? r->call_site : NULL;
}

/* ---- as text ---- */

static void
print_call(const struct finding_call *c, FILE *out)
{
    fprintf(out, "    in %s(), inlined", c->function);
    if (c->file && c->line)
        fprintf(out, " at %s:%u", c->file, c->line);
    fputc('\n', out);
    if (c->source && *c->source)
        fprintf(out, "    %5u | %s\n", c->line, c->source);
}

static void
print_side(const struct finding_side *s, const char *before, FILE *out)
{
    fprintf(out, "  %s", before);
    if (s->has_item)
        fprintf(out, "work-item (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ") of ",
                s->item[0], s->item[1], s->item[2]);
    else if (s->idle)
        fprintf(out,
                "lane %d of warp %u, which has no work-item (all_lanes = "
                "yes), of ",
                s->lane, s->warp);
    else
        fprintf(out, "warp %u of ", s->warp);
    fprintf(out, "work-group (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")",
            s->group[0], s->group[1], s->group[2]);
    if (s->has_item)
        fprintf(out, ", warp %u, lane %d", s->warp, s->lane);
    fputc('\n', out);
    if (!s->symbol && !s->file)
        return;
    fprintf(out, "    at %s", s->symbol ? s->symbol : "?");
    if (s->file)
        fprintf(out, " (%s:%u)", s->file, s->line);
    if (s->insn)
        fprintf(out, ": %s", s->insn);
    fputc('\n', out);
    if (s->source && *s->source)
        fprintf(out, "    %5u | %s\n", s->line, s->source);
    for (size_t i = 0; i < s->calls; i++)
        print_call(&s->call[i], out);
}

static bool
is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
is_same_place(const struct finding_side *a, const struct finding_side *b)
{
    bool same = a->file && is_same_text(a->file, b->file) &&
                a->line == b->line && a->column && a->column == b->column &&
                a->calls == b->calls && is_same_text(a->access, b->access);
    for (size_t i = 0; same && i < a->calls; i++)
        same = is_same_text(a->call[i].file, b->call[i].file) &&
               a->call[i].line == b->call[i].line;
    return same;
}

bool
finding_is_same(const struct finding *a, const struct finding *b)
{
    return a->what == b->what && a->has_other == b->has_other &&
           strcmp(a->kernel, b->kernel) == 0 &&
           is_same_place(&a->here, &b->here) &&
           (!a->has_other || is_same_place(&a->other, &b->other));
}

/* Words between a finding and its second party. */
static const char *
between(const struct finding *f)
{
    switch (f->what) {
    case SANITIZE_DIVERGENT:
    case SANITIZE_MISSING:
        return "it is not reached by ";
    case SANITIZE_PLACES:
        return "while another one is waited at by ";
    case SANITIZE_COPY_DIVERGES:
        return "unlike ";
    case SANITIZE_SIMT:
        return "what it waits for was taken by ";
    case SANITIZE_ENDLESS:
        return f->other.access[0] == 'a' ? "what it reads was last changed by "
                                         : "while there waits ";
    case SANITIZE_SCALAR_PATH:
    case SANITIZE_RPC_PATH:
        return "it was written by ";
    case SANITIZE_NO_JOIN:
    case SANITIZE_REGISTER:
    case SANITIZE_OUTSIDE:
    case SANITIZE_NULL:
    case SANITIZE_PERMISSION:
    case SANITIZE_MISALIGNED:
    case SANITIZE_PRIVATE:
    case SANITIZE_LOCAL:
    case SANITIZE_ARRAY:
    case SANITIZE_IMAGE:
    case SANITIZE_UNINIT_BRANCH:
    case SANITIZE_UNINIT_ADDRESS:
    case SANITIZE_UNINIT_OUTPUT:
    case SANITIZE_UNINIT_PRINT:
    case SANITIZE_DIVIDE:
    case SANITIZE_DATA_RACE:
    case SANITIZE_COPY_UNWAITED:
    case SANITIZE_EVENT_INVALID:
    case SANITIZE_WHATS:
        break;
    }
    return "";
}

void
finding_print(const struct finding *f, FILE *out)
{
    char before[64] = "by ";
    if (f->host) {
        fprintf(out, "ventus: %s: %s\n", f->id, f->text);
        return;
    }
    bool race = f->what == SANITIZE_DATA_RACE;
    if (race || *f->where)
        snprintf(before, sizeof before, "%s by ", f->here.access);
    fprintf(out, "ventus: %s: %s in kernel '%s'", f->id, f->text, f->kernel);
    fprintf(out, "%s%s\n", *f->where ? ": " : "", f->where);
    print_side(&f->here, before, out);
    if (f->has_other) {
        if (race)
            snprintf(before, sizeof before, "and %s by ", f->other.access);
        print_side(&f->other, race ? before : between(f), out);
    }
    if (f->note)
        fprintf(out, "  %s\n", f->note);
    if (f->call_site)
        fprintf(out, "  the buffer was created by %s\n", f->call_site);
    fprintf(out, "  launch %" PRIu64 " of the device\n", f->launch);
}

/* ---- as JSON ---- */

static void
put_place(struct json *j, const char *name, const uint64_t at[3])
{
    json_array(j, name);
    for (int i = 0; i < 3; i++)
        json_number(j, NULL, at[i]);
    json_end(j);
}

static void
put_side(struct json *j, const char *name, const struct finding_side *s)
{
    json_object(j, name);
    json_string(j, "access", s->access);
    if (s->has_item)
        put_place(j, "work_item", s->item);
    put_place(j, "work_group", s->group);
    json_number(j, "warp", s->warp);
    json_signed(j, "lane", s->lane);
    json_string(j, "symbol", s->symbol);
    json_string(j, "file", s->file);
    json_number(j, "line", s->line);
    json_string(j, "source", s->source);
    json_string(j, "instruction", s->insn);
    if (s->calls)
        json_array(j, "inlined");
    for (size_t i = 0; i < s->calls; i++) {
        json_object(j, NULL);
        json_string(j, "function", s->call[i].function);
        json_string(j, "file", s->call[i].file);
        json_number(j, "line", s->call[i].line);
        json_string(j, "source", s->call[i].source);
        json_end(j);
    }
    if (s->calls)
        json_end(j);
    json_end(j);
}

void
finding_json(const struct finding *f, uint64_t count, struct json *j)
{
    assert(f->id && f->kernel);
    json_new_line(j);
    json_object(j, NULL);
    json_string(j, "finding", f->id);
    json_string(j, "text", f->text);
    json_string(j, "kernel", f->kernel);
    if (f->host)
        json_string(j, "place", f->place);
    else
        json_number(j, "launch", f->launch);
    json_number(j, "count", count);
    json_bool(j, "suppressed", f->suppressed);
    if (f->host) {
        json_end(j);
        return;
    }
    json_string(j, "memory", f->where);
    json_string(j, "created_by", f->call_site);
    put_side(j, "here", &f->here);
    if (f->has_other)
        put_side(j, "other", &f->other);
    json_string(j, "note", f->note);
    json_end(j);
}
