/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: what the device library leaves open, and LLVM's intrinsics. */
#include <string.h>

#include "cc/isel/arith.h"
#include "cc/isel/asm.h"
#include "cc/isel/build.h"
#include "cc/isel/call.h"
#include "cc/isel/copy.h"
#include "cc/isel/fp.h"
#include "cc/isel/function.h"
#include "cc/isel/intrinsic_fp.h"
#include "cc/isel/intrinsic_int.h"
#include "cc/isel/type.h"
#include "cc/isel/value.h"

enum { CSR_TID = 0x800, CSR_PRINT = 0x80b };

static ir_val
call_argument(struct tr *t, LLVMValueRef in, unsigned i)
{
    return tr_get1(t, LLVMGetOperand(in, i));
}

static ir_val
read_csr(struct tr *t, unsigned number)
{
    struct ir_insn *in = tr_emit(t, VENTUS_ISA_CSRRS, 1);
    in->src[1] = IR_ZERO;
    in->aux = (uint16_t)number;
    return in->dst;
}

static bool
constant_arg(struct tr *t, LLVMValueRef in, unsigned i, int32_t *x)
{
    if (tr_is_const(t, call_argument(t, in, i), x))
        return true;
    return tr_fail(t, "argument %u of a built-in must be constant", i + 1);
}

/* ---- __ventus_* ---- */

static enum intrinsic
find_intrinsic(const char *name)
{
    static const char *const names[] = {
#define X(id, text, ...) [INTRINSIC_##id] = text,
        INTRINSIC_LIST(X)
#undef X
    };
    for (unsigned i = 1; i < INTRINSIC_COUNT; i++) {
        size_t n = strcspn(names[i], "*");
        if (names[i][n] ? strncmp(names[i], name, n) == 0
                        : strcmp(names[i], name) == 0)
            return (enum intrinsic)i;
    }
    return INTRINSIC_NONE;
}

static unsigned
csr_of(enum intrinsic id)
{
    static const uint16_t numbers[INTRINSIC_COUNT] = {
        [INTRINSIC_CSR_TID] = 0x800,  [INTRINSIC_CSR_NUMW] = 0x801,
        [INTRINSIC_CSR_NUMT] = 0x802, [INTRINSIC_CSR_KNL] = 0x803,
        [INTRINSIC_CSR_WGID] = 0x804, [INTRINSIC_CSR_WID] = 0x805,
        [INTRINSIC_CSR_GIDX] = 0x808, [INTRINSIC_CSR_GIDY] = 0x809,
        [INTRINSIC_CSR_GIDZ] = 0x80a,
    };
    return numbers[id];
}

/* Bits of an immediate; all of them if they are not known, which is stronger. */
static int32_t
known_or_all(struct tr *t, LLVMValueRef in, unsigned i, int32_t all)
{
    int32_t x;
    return tr_is_const(t, call_argument(t, in, i), &x) ? x & all : all;
}

/* Manual 4.2.4.  Upstream's machines do not do barriersub alike; fences they do. */
static void
translate_barrier(struct tr *t, LLVMValueRef in, bool sub)
{
    if (sub && t->m->options->profile == CC_PROFILE_UPSTREAM) {
        tr_emit(t, VENTUS_ISA_FENCE, 0)->aux = 0x0ff;
        return;
    }
    int32_t flags = known_or_all(t, in, 0, 7);
    int32_t scope = sub ? 0 : known_or_all(t, in, 1, 3);
    t->f->has_barrier = true;
    struct ir_insn *x =
        tr_emit(t, sub ? VENTUS_ISA_BARRIERSUB : VENTUS_ISA_BARRIER, 0);
    x->src[2] = IR_ZERO;
    x->imm = scope << 3 | flags;
}

/*
 * Hints for checkers (docs/abi.md, Hints): instructions that write x0.  Upstream's
 * machines do not do the vector one alike, so its profile has none.
 */
static bool
translate_hint(struct tr *t, LLVMValueRef in, enum intrinsic id)
{
    int32_t number = 0;
    ir_val x = call_argument(t, in, 0);
    if (id == INTRINSIC_HINT && !constant_arg(t, in, 0, &number))
        return false;
    if (t->m->options->profile == CC_PROFILE_UPSTREAM)
        return true;
    bool tells = id == INTRINSIC_TELL;
    struct ir_insn *mark =
        tr_emit(t, tells ? VENTUS_ISA_VMV_X_S : VENTUS_ISA_SLTI, 0);
    mark->src[tells ? 2 : 1] = tells && x ? x : (ir_val)IR_ZERO;
    mark->imm = number;
    mark->is_volatile = true;
    return true;
}

static void
emit_debugger_stop(struct tr *t)
{
    struct ir_insn *nop = tr_emit(t, VENTUS_ISA_ADDI, 0);
    nop->src[1] = IR_ZERO;
    nop->is_volatile = true;
}

static bool
translate_effect(struct tr *t, LLVMValueRef in, enum intrinsic id)
{
    int32_t flags;
    if (id == INTRINSIC_TOGETHER) {
        tr_emit(t, IR_TOGETHER, 0);
        t->f->has_barrier = true;
        return true;
    }
    if (id == INTRINSIC_PLACE) {
        emit_debugger_stop(t);
        return true;
    }
    if (id == INTRINSIC_HINT || id == INTRINSIC_TELL)
        return translate_hint(t, in, id);
    if (id == INTRINSIC_PRINT) {
        ir_val x = call_argument(t, in, 0);
        struct ir_insn *w = tr_emit(t, VENTUS_ISA_CSRRW, 1);
        w->src[1] = x;
        w->aux = CSR_PRINT;
        w->is_volatile = true;
        return true;
    }
    if (id == INTRINSIC_BARRIER || id == INTRINSIC_BARRIERSUB) {
        translate_barrier(t, in, id == INTRINSIC_BARRIERSUB);
        return true;
    }
    if (!constant_arg(t, in, 0, &flags))
        return false;
    tr_emit(t, VENTUS_ISA_FENCE, 0)->aux = flags & 0xfff;
    return true;
}

/* A number of twice as many bits, saturated. */
static ir_val
translate_clip(struct tr *t, LLVMValueRef in)
{
    unsigned width = tr_width(t, LLVMTypeOf(in));
    ir_val x = call_argument(t, in, 0);
    if (tr_has_fixed_point(t, width))
        return tr_fixed_point(t, IR_CLIP, x, IR_NONE, width)->dst;
    int32_t most = (int32_t)(1u << (width - 1)) - 1;
    x = tr_op(t, IR_MIN, tr_sext(t, x, 2 * width), tr_const(t, most));
    return tr_op(t, IR_MAX, x, tr_const(t, -most - 1));
}

/* A float as the saturating instruction has it. */
static ir_val
saturate_float(struct tr *t, LLVMValueRef in, unsigned op)
{
    ir_val x = call_argument(t, in, 0);
    struct ir_insn *cvt = fp_emit(t, op, 1, FP_SINGLE);
    cvt->src[1] = x;
    cvt->rm = 1; /* towards zero */
    return cvt->dst;
}

/* (a + b + up) >> 1 without overflow. */
static ir_val
translate_average(struct tr *t, LLVMValueRef in, bool up, bool is_signed)
{
    unsigned width = tr_width(t, LLVMTypeOf(in));
    ir_val a = call_argument(t, in, 0), b = call_argument(t, in, 1);
    if (tr_has_fixed_point(t, width)) {
        unsigned op = is_signed ? IR_HADD : IR_HADDU;
        struct ir_insn *half = tr_fixed_point(t, op, a, b, width);
        half->rm = up ? VXRM_RNU : VXRM_RDN;
        return half->dst;
    }
    a = is_signed ? tr_sext(t, a, width) : tr_zext(t, a, width);
    b = is_signed ? tr_sext(t, b, width) : tr_zext(t, b, width);
    ir_val differ = tr_op(t, VENTUS_ISA_XOR, a, b);
    ir_val half =
        tr_opi(t, is_signed ? VENTUS_ISA_SRA : VENTUS_ISA_SRL, differ, 1);
    return up ? tr_op(t, VENTUS_ISA_SUB, tr_op(t, VENTUS_ISA_OR, a, b), half)
              : tr_op(t, VENTUS_ISA_ADD, tr_op(t, VENTUS_ISA_AND, a, b), half);
}

static ir_val
translate_value(struct tr *t, LLVMValueRef in, enum intrinsic id)
{
    int32_t offset;
    struct ir_insn *x;
    ir_val a;
    switch (id) {
    case INTRINSIC_LANE:
        return tr_emit(t, VENTUS_ISA_VID_V, 1)->dst;
    case INTRINSIC_LOCAL_LINEAR:
        x = tr_emit(t, VENTUS_ISA_VID_V, 1);
        return tr_op(t, VENTUS_ISA_ADD, x->dst, read_csr(t, CSR_TID));
    case INTRINSIC_KNL_WORD:
        if (!constant_arg(t, in, 0, &offset))
            return IR_ZERO;
        return tr_knl_word(t, cc_knl_offset(t->target, (unsigned)offset), 1);
    case INTRINSIC_EXP_F32:
        a = call_argument(t, in, 0);
        x = tr_emit(t, VENTUS_ISA_VFEXP_V, 1);
        x->src[2] = a;
        return x->dst;
    case INTRINSIC_MULHU:
        return tr_op(t, VENTUS_ISA_MULHU, call_argument(t, in, 0),
                     call_argument(t, in, 1));
    case INTRINSIC_MULHS:
        return tr_op(t, VENTUS_ISA_MULH, call_argument(t, in, 0),
                     call_argument(t, in, 1));
    case INTRINSIC_HADD:
    case INTRINSIC_HADDU:
        return translate_average(t, in, false, id == INTRINSIC_HADD);
    case INTRINSIC_RHADD:
    case INTRINSIC_RHADDU:
        return translate_average(t, in, true, id == INTRINSIC_RHADD);
    case INTRINSIC_CLIP:
        return translate_clip(t, in);
    case INTRINSIC_SAT_INT:
        return saturate_float(t, in, VENTUS_ISA_FCVT_W_S);
    case INTRINSIC_SAT_UINT:
        return saturate_float(t, in, VENTUS_ISA_FCVT_WU_S);
    case INTRINSIC_SAMPLER: /* parameters are words in scalar machine IR */
    case INTRINSIC_HANDLE:
    case INTRINSIC_EVENT:
    case INTRINSIC_EVENT_WORD:
        return call_argument(t, in, 0);
    case INTRINSIC_UNWRITTEN: /* upstream's profile has no hints */
        if (t->m->options->profile == CC_PROFILE_UPSTREAM)
            return tr_const(t, 0);
        return tr_emit(t, IR_UNWRITTEN, 1)->dst;
    case INTRINSIC_UNIFORM:
        return tr_op1(t, IR_UNIFORM, call_argument(t, in, 0));
    default:
        return read_csr(t, csr_of(id));
    }
}

/* ---- LLVM's intrinsics ---- */

static bool
is_ignored(const char *name)
{
    static const char *const names[] = {
        "lifetime.",  "assume",   "dbg.", "experimental.noalias.scope.decl",
        "invariant.", "donothing"
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool
llvm_call(struct tr *t, LLVMValueRef in, const char *name)
{
    static const char *const integer[] = {
        "smin.", "smax.",  "umin.",       "umax.",  "abs.",  "fshl.",
        "fshr.", "bswap.", "bitreverse.", "ctpop.", "ctlz.", "cttz.",
        "uadd.", "sadd.",  "usub.",       "ssub.",  "umul.", "smul."
    };
    const char *rest = name + 5;
    if (is_ignored(rest))
        return true;
    if (!strncmp(rest, "memcpy.", 7) || !strncmp(rest, "memmove.", 8) ||
        !strncmp(rest, "memset.", 7))
        return tr_memory_call(t, in, name);
    if (!strncmp(rest, "expect.", 7)) {
        struct tr_value v = tr_get(t, LLVMGetOperand(in, 0));
        tr_set(t, in, v.at, v.n);
        return true;
    }
    for (unsigned i = 0; i < sizeof integer / sizeof integer[0]; i++)
        if (strncmp(rest, integer[i], strlen(integer[i])) == 0)
            return tr_integer_intrinsic(t, in, rest);
    return tr_float_intrinsic(t, in, rest);
}

bool
tr_call(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef f = LLVMGetCalledValue(in);
    if (LLVMIsAInlineAsm(f))
        return tr_inline_asm(t, in);
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (strncmp(name, "llvm.", 5) == 0)
        return llvm_call(t, in, name);
    struct tr_function *to = tr_find_function(t, f);
    if (to)
        return tr_call_function(t, in, to);
    enum intrinsic id = find_intrinsic(name);
    if (id == INTRINSIC_NONE)
        return tr_fail(t, "call of '%s', which is not defined", name);
    if (id == INTRINSIC_BARRIER || id == INTRINSIC_BARRIERSUB ||
        id == INTRINSIC_FENCE || id == INTRINSIC_PRINT ||
        id == INTRINSIC_TOGETHER || id == INTRINSIC_HINT ||
        id == INTRINSIC_TELL || id == INTRINSIC_PLACE)
        return translate_effect(t, in, id);
    tr_set1(t, in, translate_value(t, in, id));
    return true;
}
