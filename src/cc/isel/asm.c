/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inline assembly: instructions of the table, one a line or between ';'.
 *
 *     asm("vfexp.v %0, %1" : "=vr"(y) : "vr"(x));
 *
 * Operands are those of the statement ("vr", "r", "i", or a number for the
 * same place as an output) and numbers; registers by name are not, because
 * the compiler gives them out.  A vector in an "r" operand is the value of
 * one active lane.  Branches and labels are not supported.
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cc/isel/asm.h"
#include "cc/isel/build.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

enum { OPERANDS_MAX = 16 };

struct assembly {
    struct tr *t;
    ir_val now[OPERANDS_MAX]; /* what each operand holds */
    bool constant[OPERANDS_MAX];
    unsigned n, outputs;
    bool has_effects;
    const char *at; /* in the text */
};

static bool
fail_assembly(struct assembly *a, const char *what)
{
    return tr_fail(a->t, "inline assembly: %s near '%.20s'", what, a->at);
}

static void
skip_space(struct assembly *a)
{
    while (*a->at == ' ' || *a->at == '\t')
        a->at++;
}

static bool
at_end(const struct assembly *a)
{
    return !*a->at || *a->at == '\n' || *a->at == ';' || *a->at == '#';
}

/* "=vr,=&r,vr,0,i,~{memory}": outputs come first. */
static bool
read_constraints(struct assembly *a, LLVMValueRef in, const char *text)
{
    unsigned input = 0;
    while (*text) {
        size_t n = strcspn(text, ",");
        if (*text == '~') {
            a->has_effects = true;
        } else if (a->n == OPERANDS_MAX) {
            return fail_assembly(a, "too many operands");
        } else if (*text == '=') {
            if (memchr(text, '*', n))
                return fail_assembly(a, "operands in memory are not supported");
            a->now[a->n++] = IR_NONE;
            a->outputs++;
        } else {
            LLVMValueRef operand = LLVMGetOperand(in, input++);
            if (tr_width(a->t, LLVMTypeOf(operand)) > 32 &&
                a->t->target->wide_integers)
                return fail_assembly(a,
                                     "operands of 64 bits are not supported");
            ir_val v = tr_get1(a->t, operand);
            if (isdigit((unsigned char)*text))
                a->now[strtoul(text, NULL, 10) % OPERANDS_MAX] = v;
            assert(a->outputs <= a->n);
            a->constant[a->n] = *text == 'i';
            a->now[a->n++] = v;
        }
        text += n + (text[n] == ',');
    }
    return true;
}

/* $1 or ${1:x}: which operand. */
static bool
read_operand(struct assembly *a, unsigned *k)
{
    skip_space(a);
    if (*a->at != '$')
        return fail_assembly(a, "expected an operand of the statement");
    a->at++;
    bool braces = *a->at == '{';
    a->at += braces;
    char *end;
    *k = (unsigned)strtoul(a->at, &end, 10);
    if (end == a->at || *k >= a->n)
        return fail_assembly(a, "no such operand");
    a->at = end;
    if (braces) {
        a->at += strcspn(a->at, "}");
        a->at += *a->at == '}';
    }
    return true;
}

static bool
read_number(struct assembly *a, int32_t *x)
{
    unsigned k;
    skip_space(a);
    if (*a->at == '$') {
        if (!read_operand(a, &k))
            return false;
        return tr_is_const(a->t, a->now[k], x) ||
               fail_assembly(a, "expected a constant operand");
    }
    char *end;
    *x = (int32_t)strtol(a->at, &end, 0);
    if (end == a->at)
        return fail_assembly(a, "expected a number");
    a->at = end;
    return true;
}

static bool
read_register(struct assembly *a, struct ir_insn *in,
              const struct ventus_isa_field *field, int *written)
{
    unsigned k;
    skip_space(a);
    if (strncmp(a->at, "x0", 2) == 0 || strncmp(a->at, "zero", 4) == 0) {
        a->at += *a->at == 'x' ? 2 : 4;
        in->src[field->member] = field->read ? IR_ZERO : IR_NONE;
        return true;
    }
    if (!read_operand(a, &k))
        return false;
    if (field->out)
        *written = (int)k;
    if (field->read)
        in->src[field->member] = a->now[k] ? a->now[k] : (ir_val)IR_ZERO;
    return true;
}

static bool
read_field(struct assembly *a, struct ir_insn *in,
           const struct ventus_isa_field *field, int *written)
{
    int32_t x;
    switch ((int)field->kind) {
    case VENTUS_ISA_KIND_X:
    case VENTUS_ISA_KIND_V:
    case VENTUS_ISA_KIND_A:
        return read_register(a, in, field, written);
    case VENTUS_ISA_KIND_S:
    case VENTUS_ISA_KIND_U:
    case VENTUS_ISA_KIND_HI:
        return read_number(a, &in->imm);
    case VENTUS_ISA_KIND_CSR: {
        skip_space(a);
        size_t n = strcspn(a->at, ", \t\n;");
        const struct ventus_isa_csr *csr = ventus_isa_csr_by_name(a->at, n);
        if (csr) {
            in->aux = csr->number;
            a->at += n;
            return true;
        }
        if (!read_number(a, &x))
            return false;
        in->aux = (uint16_t)x;
        return true;
    }
    case VENTUS_ISA_KIND_VM:
    case VENTUS_ISA_KIND_RM:
    case VENTUS_ISA_KIND_AQRL:
    case VENTUS_ISA_KIND_OPT:
        return true; /* after the operands, not given */
    }
    return fail_assembly(a, "an operand of a kind that is not supported");
}

static bool
read_insn(struct assembly *a)
{
    size_t n = strcspn(a->at, " \t\n;");
    unsigned op = ventus_isa_find(a->t->target->isa, a->at, n);
    if (op == VENTUS_ISA_NONE || (ventus_isa_info[op].flags &
                                  (VENTUS_ISA_F_BRANCH | VENTUS_ISA_F_PREFIX)))
        return fail_assembly(a, "unknown or unsupported instruction");
    a->at += n;
    struct ir_insn *in = tr_emit(a->t, op, 0);
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[ventus_isa_info[op].format];
    int written = -1;
    for (const char *s = format->syntax[0]; *s; s++) {
        unsigned char c = (unsigned char)*s;
        skip_space(a);
        if (c >= 128) {
            if (!read_field(a, in, &ventus_isa_fields[c - 128], &written))
                return false;
        } else if (c != ' ' && c > 1) {
            if (*a->at != *s)
                return fail_assembly(a, "wrong operands");
            a->at++;
        }
    }
    skip_space(a);
    if (!at_end(a))
        return fail_assembly(a, "too many operands");
    in->is_volatile = a->has_effects;
    if (written >= 0) {
        assert((unsigned)written < a->n);
        ir_set_dst(a->t->f, in, ir_value_new(a->t->f, IR_S, 1));
        a->now[written] = in->dst;
    }
    return true;
}

bool
tr_inline_asm(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef f = LLVMGetCalledValue(in);
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(f, &n);
    struct assembly a = { .t = t,
                          .has_effects = LLVMGetInlineAsmHasSideEffects(f) };
    a.at = arena_strndup(t->m->arena, text, n);
    const char *constraints = LLVMGetInlineAsmConstraintString(f, &n);
    if (!read_constraints(&a, in, arena_strndup(t->m->arena, constraints, n)))
        return false;
    while (*a.at) {
        skip_space(&a);
        if (!at_end(&a) && !read_insn(&a))
            return false;
        if (*a.at == '#')
            a.at += strcspn(a.at, "\n");
        a.at += *a.at != 0;
    }
    for (unsigned k = 0; k < a.outputs; k++)
        if (!a.now[k])
            a.now[k] = IR_ZERO;
    assert(a.outputs <= a.n && a.n <= OPERANDS_MAX);
    tr_set(t, in, a.now, a.outputs);
    return true;
}
