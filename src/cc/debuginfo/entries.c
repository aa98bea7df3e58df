/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, scopes and variables as entries of the unit. */
#include <assert.h>

#include "base/defer.h"
#include "cc/code.h"
#include "cc/debuginfo/debug.h"

struct out {
    struct cc *c;
    struct arena *arena;
    struct cc_debug *debug;
    const struct cc_code *code;
    unsigned text;
    uint32_t start;
    bool *used; /* scopes of this function */
};

/* ---- where scopes are ---- */

static void
add_range(struct out *o, uint32_t scope, uint32_t from, uint32_t to)
{
    for (; scope; scope = o->debug->scopes.at[scope].parent) {
        struct cc_debug_scope *s = &o->debug->scopes.at[scope];
        o->used[scope] = true;
        if (s->ranges.n && s->ranges.at[s->ranges.n - 1].end == from)
            s->ranges.at[s->ranges.n - 1].end = to;
        else
            vec_push(o->arena, &s->ranges,
                     ((struct dwarf_range){ o->text, from, to }));
    }
}

/* An instruction of no scope is of the one before it. */
static void
find_ranges(struct out *o, uint32_t scope)
{
    const struct cc_code *code = o->code;
    uint32_t end = (uint32_t)code->words.n;
    for (unsigned i = 0; i < code->n_order; i++) {
        const struct ir_block *b = code->order[i];
        const struct ir_block *after =
            i + 1 < code->n_order ? code->order[i + 1] : NULL;
        uint32_t block_end = after ? code->block_at[after->id] : end;
        uint32_t at = code->block_at[b->id];
        ir_foreach_insn (b, in) {
            uint32_t to = in->next ? in->next->at : block_end;
            scope = in->scope ? in->scope : scope;
            if (to > at)
                add_range(o, scope, o->start + at, o->start + to);
            at = to;
        }
    }
}

/* ---- entries ---- */

/* The numbers of files in the line table are those of the module. */
static void
put_place(struct out *o, struct dwarf_die *d, uint32_t file, uint32_t line)
{
    dwarf_die_number(o->arena, d, DW_AT_decl_file, file);
    dwarf_die_number(o->arena, d, DW_AT_decl_line, line);
}

static void
put_function(struct out *o, struct dwarf_die *d,
             const struct cc_debug_function *f)
{
    dwarf_die_string(o->arena, d, DW_AT_name, f->name);
    put_place(o, d, f->file, f->line);
    dwarf_die_flag(o->arena, d, DW_AT_prototyped);
    /* Not the ABI of RISC-V: a debugger would take results from a0. */
    dwarf_die_number(o->arena, d, DW_AT_calling_convention, DW_CC_nocall);
    if (f->is_external)
        dwarf_die_flag(o->arena, d, DW_AT_external);
    if (f->type)
        dwarf_die_entry(o->arena, d, DW_AT_type, f->type);
}

/* The entry of what all copies of an inlined function share. */
static struct dwarf_die *
abstract_of(struct out *o, struct cc_debug_function *f)
{
    if (f->abstract)
        return f->abstract;
    f->abstract = dwarf_die_new(o->arena, NULL, DW_TAG_subprogram);
    put_function(o, f->abstract, f);
    dwarf_die_number(o->arena, f->abstract, DW_AT_inline, DW_INL_inlined);
    vec_push(o->arena, &o->debug->entries, f->abstract);
    return f->abstract;
}

static struct dwarf_die *
scope_entry(struct out *o, uint32_t scope)
{
    struct cc_debug_scope *s = &o->debug->scopes.at[scope];
    if (s->die)
        return s->die;
    struct dwarf_die *parent = s->parent ? scope_entry(o, s->parent) : NULL;
    static const unsigned tags[] = { [CC_SCOPE_FUNCTION] = DW_TAG_subprogram,
                                     [CC_SCOPE_INLINED] =
                                         DW_TAG_inlined_subroutine,
                                     [CC_SCOPE_BLOCK] = DW_TAG_lexical_block };
    struct dwarf_die *d = dwarf_die_new(o->arena, parent, tags[s->kind]);
    s->die = d;
    if (!parent)
        vec_push(o->arena, &o->debug->entries, d);
    if (s->kind == CC_SCOPE_INLINED ||
        (s->kind == CC_SCOPE_FUNCTION && s->function->abstract))
        dwarf_die_entry(o->arena, d, DW_AT_abstract_origin,
                        abstract_of(o, s->function));
    else if (s->kind == CC_SCOPE_FUNCTION)
        put_function(o, d, s->function);
    /* The frame is private memory, which has fixed addresses. */
    static const uint8_t cfa[] = { DW_OP_call_frame_cfa };
    if (s->kind == CC_SCOPE_FUNCTION)
        dwarf_die_expression(o->arena, d, DW_AT_frame_base, cfa, sizeof cfa);
    if (s->ranges.n)
        dwarf_die_ranges(o->arena, d, s->ranges.at, s->ranges.n);
    if (s->kind == CC_SCOPE_INLINED) {
        dwarf_die_number(o->arena, d, DW_AT_call_file, s->file);
        dwarf_die_number(o->arena, d, DW_AT_call_line, s->line);
        dwarf_die_number(o->arena, d, DW_AT_call_column, s->column);
    }
    return d;
}

static void
put_address(struct out *o, struct dwarf_die *d,
            const struct cc_debug_variable *v)
{
    enum { REG_TP = 4 };
    struct debug_piece p = { .kind = DEBUG_MEMORY,
                             .base = v->from_tp ? REG_TP : -1,
                             .value = v->address,
                             .size_B = v->size_B };
    struct buf b = { 0 };
    struct oom_cleanup free_b;
    oom_defer_buf(&free_b, &b);
    debug_expression(&b, &p, 1, v->size_B);
    uint8_t *copy = arena_new(o->arena, uint8_t, b.n);
    for (size_t i = 0; i < b.n; i++)
        copy[i] = b.at[i];
    dwarf_die_expression(o->arena, d, DW_AT_location, copy, b.n);
    oom_release(&free_b);
}

/* Name, place and type. */
static struct dwarf_die *
variable_entry(struct out *o, const struct cc_debug_variable *v,
               struct dwarf_die *parent)
{
    struct dwarf_die *d = dwarf_die_new(
        o->arena, parent, v->arg ? DW_TAG_formal_parameter : DW_TAG_variable);
    dwarf_die_string(o->arena, d, DW_AT_name, v->name);
    put_place(o, d, v->file, v->line);
    if (v->type)
        dwarf_die_entry(o->arena, d, DW_AT_type, v->type);
    return d;
}

/* Puts a variable; one without location is "optimised out". */
static void
put_variable(struct out *o, const struct cc_debug_variable *v)
{
    struct dwarf_die *d = variable_entry(o, v, scope_entry(o, v->scope));
    if (v->has_address)
        put_address(o, d, v);
    else if (v->locations.n)
        dwarf_die_locations(o->arena, d, v->locations.at, v->locations.n);
}

void
debug_add_constant(struct cc_module *m, const struct cc_debug_variable *v,
                   unsigned section, uint32_t offset)
{
    struct out o = { .arena = m->arena };
    struct dwarf_die *d = variable_entry(&o, v, NULL);
    dwarf_die_place(m->arena, d, section, offset);
    vec_push(m->arena, &m->debug->entries, d);
}

/* Parameters come first and in order. */
static void
put_variables(struct out *o)
{
    unsigned most = 0;
    for (size_t i = 1; i < o->debug->variables.n; i++)
        if (o->debug->variables.at[i].arg > most)
            most = o->debug->variables.at[i].arg;
    for (unsigned k = 1; k <= most + 1; k++)
        for (size_t i = 1; i < o->debug->variables.n; i++) {
            const struct cc_debug_variable *v = &o->debug->variables.at[i];
            if (o->used[v->scope] && !v->symbol && v->arg == k % (most + 1))
                put_variable(o, v);
        }
}

static void
add_frame(struct out *o)
{
    const struct ir_func *f = o->c->f;
    struct dwarf_frame frame = {
        .section = o->text,
        .start = o->start,
        .size = (uint32_t)o->code->words.n,
        .stack_B = f->scalar_stack_B,
        .is_outermost = !f->is_function,
        .saved_at = o->code->saved_at,
        .saved_B = f->scalar_stack_B - (uint32_t)o->code->saved_offset,
    };
    vec_push(o->arena, &o->debug->frames, frame);
}

void
debug_add_function(struct cc *c, const struct cc_code *code, unsigned text,
                   uint32_t start)
{
    struct out o = { .c = c,
                     .arena = c->f->arena,
                     .debug = c->m->debug,
                     .code = code,
                     .text = text,
                     .start = start };
    o.used = arena_new(o.arena, bool, o.debug->scopes.n);
    debug_find_locations(c, code, text, start);
    find_ranges(&o, c->f->scope);
    if (c->f->scope) {
        struct cc_debug_scope *s = &o.debug->scopes.at[c->f->scope];
        o.used[c->f->scope] = true;
        s->ranges.n = 0;
        vec_push(o.arena, &s->ranges,
                 ((struct dwarf_range){ text, start,
                                        start + (uint32_t)code->words.n }));
    }
    for (uint32_t i = 1; i < o.debug->scopes.n; i++)
        if (o.used[i] && o.debug->scopes.at[i].kind != CC_SCOPE_BLOCK)
            scope_entry(&o, i);
    put_variables(&o);
    add_frame(&o);
}
