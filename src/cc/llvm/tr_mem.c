/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: parameters, addresses, loads, stores, block copies. */
#include "cc/llvm/front.h"
#include "cc/llvm/front_module.h"
#include "cc/llvm/intrinsics.h"
#include "cc/llvm/tr.h"

#include <string.h>

enum ir_space
tr_space(struct tr *t, LLVMValueRef pointer)
{
    for (unsigned i = 0; i < t->n_arg_pointers; i++)
        if (t->arg_pointers[i] == pointer)
            return IR_SPACE_CONST;
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) {
    case 1:
        return IR_SPACE_GLOBAL;
    case 2:
        return IR_SPACE_CONST;
    case 3:
        return IR_SPACE_LOCAL;
    case 0:
        return IR_SPACE_PRIVATE;
    }
    tr_fail(t, "generic pointers are not supported");
    return IR_SPACE_GLOBAL;
}

struct place {
    ir_val base;
    int32_t offset;
    enum ir_space space;
    bool is_volatile;
    bool shared; /* volatile, of global memory: as all SMs see it */
};

/*
 * Volatile words of global memory are read and written where atomics are.  There
 * is no atomic of less than a word, and one of the word around it would leave a
 * buffer that ends inside of that word.  So a fence before a load makes the L1D
 * forget its line, and one behind a store gives back what was stored.
 */
enum { FENCE_R_R = 0x22, FENCE_W_W = 0x11 };

static ir_val
load_piece(struct tr *t, struct place p, unsigned size, bool is_signed)
{
    static const uint16_t rows[2][5] = {
        { 0, ISA_LBU, ISA_LHU, 0, ISA_LW },
        { 0, ISA_LB, ISA_LH, 0, ISA_LW },
    };
    if (p.shared && size == 4)
        return tr_shared_load(t, tr_opi(t, ISA_ADD, p.base, p.offset));
    if (p.shared)
        tr_emit(t, ISA_FENCE, 0)->aux = FENCE_R_R;
    struct ir_insn *in = tr_emit(t, rows[is_signed][size], 1);
    in->src[1] = p.base;
    in->imm = p.offset;
    in->space = p.space;
    in->is_volatile = p.is_volatile;
    return in->dst;
}

static void
store_piece(struct tr *t, struct place p, unsigned size, ir_val v)
{
    static const uint16_t rows[5] = { 0, ISA_SB, ISA_SH, 0, ISA_SW };
    if (p.shared && size == 4) {
        tr_shared_store(t, tr_opi(t, ISA_ADD, p.base, p.offset), v);
        return;
    }
    struct ir_insn *in = tr_emit(t, rows[size], 0);
    in->src[1] = p.base;
    in->src[2] = v;
    in->imm = p.offset;
    in->space = p.space;
    in->is_volatile = p.is_volatile;
    if (p.shared)
        tr_emit(t, ISA_FENCE, 0)->aux = FENCE_W_W;
}

/* A word or less, from pieces no larger than the alignment. */
static ir_val
load_word(struct tr *t, struct place p, unsigned size, unsigned align,
          bool is_signed)
{
    if (align >= size)
        return load_piece(t, p, size, is_signed);
    ir_val all = IR_NONE;
    for (unsigned i = 0; i < size; i += align) {
        struct place at = p;
        at.offset += (int32_t)i;
        ir_val x = load_piece(t, at, align, false);
        x = tr_opi(t, ISA_SLL, x, (int32_t)(8 * i));
        all = all ? tr_op(t, ISA_OR, all, x) : x;
    }
    return all;
}

static void
store_word(struct tr *t, struct place p, unsigned size, unsigned align,
           ir_val v)
{
    if (align >= size) {
        store_piece(t, p, size, v);
        return;
    }
    for (unsigned i = 0; i < size; i += align) {
        struct place at = p;
        at.offset += (int32_t)i;
        store_piece(t, at, align, tr_opi(t, ISA_SRL, v, (int32_t)(8 * i)));
    }
}

static unsigned
align_at(unsigned align, uint64_t offset)
{
    unsigned low = (unsigned)(offset & (0 - offset));
    unsigned a = low && low < align ? low : align;
    return a > 4 ? 4 : a;
}

/* Walks the leaves of a type; stores if `store`, else loads. */
static void
access(struct tr *t, struct place p, LLVMTypeRef type, unsigned align,
       ir_val **at, bool store)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMStructTypeKind) {
        unsigned n = LLVMCountStructElementTypes(type);
        for (unsigned i = 0; i < n; i++) {
            struct place q = p;
            uint64_t offset = LLVMOffsetOfElement(t->layout, type, i);
            q.offset += (int32_t)offset;
            access(t, q, LLVMStructGetTypeAtIndex(type, i),
                   align_at(align, offset), at, store);
        }
        return;
    }
    if (kind == LLVMVectorTypeKind || kind == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(t->layout, element);
        uint64_t n = kind == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                : LLVMGetArrayLength2(type);
        for (uint64_t i = 0; i < n; i++) {
            struct place q = p;
            q.offset += (int32_t)(i * size);
            access(t, q, element, align_at(align, i * size), at, store);
        }
        return;
    }
    unsigned size = (tr_width(type) + 7) / 8;
    unsigned a = align_at(align, 0);
    struct place high = p;
    high.offset += 4;
    if (size <= 4) {
        unsigned whole = size == 3 ? 4 : size;
        if (store)
            store_word(t, p, whole, a, *(*at)++);
        else
            *(*at)++ = load_word(t, p, whole, a, false);
    } else if (kind == LLVMDoubleTypeKind) {
        if (store) {
            ir_val v = *(*at)++;
            store_word(t, p, 4, a, tr_lo(t, v));
            store_word(t, high, 4, a, tr_hi(t, v));
        } else {
            ir_val lo = load_word(t, p, 4, a, false);
            *(*at)++ = tr_pair(t, lo, load_word(t, high, 4, a, false));
        }
    } else if (store) {
        store_word(t, p, 4, a, *(*at)++);
        store_word(t, high, 4, a, *(*at)++);
    } else {
        *(*at)++ = load_word(t, p, 4, a, false);
        *(*at)++ = load_word(t, high, 4, a, false);
    }
}

/* All users are sext: load with the sign. */
static bool
wants_sign(LLVMValueRef in)
{
    LLVMUseRef use = LLVMGetFirstUse(in);
    for (LLVMUseRef u = use; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user) ||
            LLVMGetInstructionOpcode(user) != LLVMSExt)
            return false;
    }
    return use != NULL;
}

static struct place
place_of_access(struct tr *t, LLVMValueRef in, LLVMValueRef pointer)
{
    struct place p = { .base = tr_get1(t, pointer),
                       .space = tr_space(t, pointer),
                       .is_volatile = LLVMGetVolatile(in) };
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(pointer));
    unsigned plain = LLVMGetMDKindIDInContext(context, PLAIN_METADATA,
                                              strlen(PLAIN_METADATA));
    p.shared = p.is_volatile && p.space == IR_SPACE_GLOBAL &&
               t->m->options->profile != CC_PROFILE_UPSTREAM &&
               !LLVMGetMetadata(in, plain);
    return p;
}

bool
tr_load(struct tr *t, LLVMValueRef in)
{
    struct place p = place_of_access(t, in, LLVMGetOperand(in, 0));
    LLVMTypeRef type = LLVMTypeOf(in);
    if (tr_is_atomic(t, in, type, p.space))
        return tr_atomic_load(t, in);
    unsigned align = LLVMGetAlignment(in);
    struct tr_value r = tr_new_value(t, tr_words(t, type));
    ir_val *at = r.at;
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && wants_sign(in) &&
        (tr_width(type) == 8 || tr_width(type) == 16))
        r.at[0] = load_word(t, p, tr_width(type) / 8, align_at(align, 0), true);
    else
        access(t, p, type, align, &at, false);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && tr_width(type) == 1)
        r.at[0] = tr_opi(t, ISA_AND, r.at[0], 1);
    tr_set(t, in, r.at, r.n);
    return true;
}

bool
tr_store(struct tr *t, LLVMValueRef in)
{
    struct place p = place_of_access(t, in, LLVMGetOperand(in, 1));
    if (tr_is_atomic(t, in, LLVMTypeOf(LLVMGetOperand(in, 0)), p.space))
        return tr_atomic_store(t, in);
    struct tr_value v = tr_get(t, LLVMGetOperand(in, 0));
    ir_val *at = v.at;
    access(t, p, LLVMTypeOf(LLVMGetOperand(in, 0)), LLVMGetAlignment(in), &at,
           true);
    return true;
}

/* Constants are added last: there they fit into the access. */
bool
tr_gep(struct tr *t, LLVMValueRef in)
{
    ir_val base = tr_get1(t, LLVMGetOperand(in, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(in);
    uint32_t constant = 0;
    unsigned n = (unsigned)LLVMGetNumOperands(in);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(in, i);
        uint32_t scale;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);
            constant += (uint32_t)LLVMOffsetOfElement(t->layout, type, k);
            type = LLVMStructGetTypeAtIndex(type, k);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        scale = (uint32_t)LLVMABISizeOfType(t->layout, type);
        struct tr_value v = tr_get(t, index);
        unsigned width = tr_width(LLVMTypeOf(index));
        ir_val x = width < 32 ? tr_sext(t, v.at[0], width) : v.at[0];
        /* (y + c) * scale = y * scale + c * scale */
        int32_t c;
        struct ir_insn *def = ir_value(t->f, x)->def;
        if (tr_is_const(t, x, &c)) {
            constant += (uint32_t)c * scale;
            continue;
        }
        if (def && def->op == ISA_ADD && tr_is_const(t, def->src[2], &c)) {
            constant += (uint32_t)c * scale;
            x = def->src[1];
        }
        x = tr_opi(t, ISA_MUL, x, (int32_t)scale);
        base = tr_op(t, ISA_ADD, base, x);
    }
    tr_set1(t, in, tr_opi(t, ISA_ADD, base, (int32_t)constant));
    for (unsigned i = 0; i < t->n_arg_pointers; i++)
        if (t->arg_pointers[i] == LLVMGetOperand(in, 0))
            return true; /* tr_params has put `in` there as well */
    return true;
}

static uint32_t
align_up(uint32_t x, uint32_t align)
{
    return (x + align - 1) / align * align;
}

uint32_t
tr_private_room(struct tr *t, uint64_t size, unsigned align)
{
    uint32_t at = align_up(t->f->private_B, align < 4 ? 4 : align);
    t->f->private_B = align_up((uint32_t)(at + size), 4);
    return at;
}

static ir_val
private_room(struct tr *t, uint64_t size, unsigned align)
{
    ir_val at = tr_const(t, (int32_t)tr_private_room(t, size, align));
    return t->tp == IR_ZERO ? at : tr_op(t, ISA_ADD, at, t->tp);
}

/* Its address becomes a number, which may be compared with NULL's. */
static bool
is_seen(LLVMValueRef variable)
{
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u))
        if (LLVMIsAPtrToIntInst(LLVMGetUser(u)))
            return true;
    return false;
}

bool
tr_alloca(struct tr *t, LLVMValueRef in)
{
    LLVMValueRef count = LLVMGetOperand(in, 0);
    if (!LLVMIsAConstantInt(count))
        return tr_fail(t, "arrays of variable length are not supported");
    LLVMTypeRef type = LLVMGetAllocatedType(in);
    uint64_t size =
        LLVMABISizeOfType(t->layout, type) * LLVMConstIntGetZExtValue(count);
    if (size > 1 << 20)
        return tr_fail(t, "private array of %llu bytes is too large",
                       (unsigned long long)size);
    if (t->f->private_B == 0 && is_seen(in))
        t->f->private_B = 4; /* not at 0 */
    tr_set1(t, in, private_room(t, size, LLVMGetAlignment(in)));
    return true;
}

/* ---- parameters ---- */

static bool
only_read(LLVMValueRef v, unsigned depth)
{
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            return false;
        LLVMOpcode op = LLVMGetInstructionOpcode(user);
        if (op == LLVMLoad)
            continue;
        if (op != LLVMGetElementPtr || depth > 8 || !only_read(user, depth + 1))
            return false;
    }
    return true;
}

static void
add_arg_pointer(struct tr *t, LLVMValueRef v)
{
    if (t->n_arg_pointers == t->cap_arg_pointers) {
        size_t cap = t->cap_arg_pointers;
        t->arg_pointers = vec_grow(t->m->arena, t->arg_pointers, &cap,
                                   t->n_arg_pointers, sizeof(LLVMValueRef));
        t->cap_arg_pointers = (unsigned)cap;
    }
    t->arg_pointers[t->n_arg_pointers++] = v;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (LLVMIsAGetElementPtrInst(LLVMGetUser(u)))
            add_arg_pointer(t, LLVMGetUser(u));
}

/* What lies `offset` bytes from a place, with as much behind it as a vector
 * has in reach of a load. */
static struct place
far(struct tr *t, ir_val base, uint32_t offset, enum ir_space space)
{
    enum { PAGE_B = 1024 };
    int32_t within = (int32_t)(offset % PAGE_B);
    int32_t page = (int32_t)offset - within;
    if (page)
        base = tr_opi(t, ISA_ADD, base, page);
    return (struct place){ .base = base, .offset = within, .space = space };
}

/* A struct by value: read where it lies, or a copy in private memory. */
static void
by_value(struct tr *t, LLVMValueRef param, LLVMTypeRef type, uint32_t offset)
{
    if (only_read(param, 0)) {
        add_arg_pointer(t, param);
        tr_set1(t, param, tr_opi(t, ISA_ADD, t->args, (int32_t)offset));
        return;
    }
    uint32_t size = (uint32_t)LLVMABISizeOfType(t->layout, type);
    ir_val to = private_room(t, size, 8);
    for (uint32_t i = 0; i < size; i += 4) {
        struct place from = far(t, t->args, offset + i, IR_SPACE_CONST);
        struct place at = far(t, to, i, IR_SPACE_PRIVATE);
        store_piece(t, at, 4, load_piece(t, from, 4, false));
    }
    tr_set1(t, param, to);
}

static LLVMTypeRef
by_value_type(LLVMValueRef f, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(f, i + 1, kind);
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* Arguments lie as kernels_lay_out_args says, each at 4 bytes or more. */
void
tr_params(struct tr *t, LLVMValueRef function)
{
    struct kernel_info *info = &t->kernel->info;
    front_kernel_info(t->m->arena, function, info);
    struct kernel_arg *args =
        arena_new(t->m->arena, struct kernel_arg, info->n_args + 1);
    for (size_t i = 0; i < info->n_args; i++) {
        args[i] = info->args[i];
        if (args[i].align_B < 4)
            args[i].align_B = 4;
    }
    info->args = args;
    uint64_t *offset = arena_new(t->m->arena, uint64_t, info->n_args + 1);
    kernels_lay_out_args(info, offset);
    for (unsigned i = 0; i < info->n_args; i++) {
        LLVMValueRef param = LLVMGetParam(function, i);
        LLVMTypeRef type = LLVMTypeOf(param);
        LLVMTypeRef value = by_value_type(function, i);
        if (value) {
            by_value(t, param, value, (uint32_t)offset[i]);
            continue;
        }
        struct tr_value r = tr_new_value(t, tr_words(t, type));
        ir_val *at = r.at;
        struct place p = far(t, t->args, (uint32_t)offset[i], IR_SPACE_CONST);
        access(t, p, type, 4, &at, false);
        tr_set(t, param, r.at, r.n);
    }
}

void
tr_put_word(struct tr *t, ir_val base, uint32_t offset, ir_val v)
{
    store_piece(t, far(t, base, offset, IR_SPACE_PRIVATE), 4, v);
}

ir_val
tr_get_word(struct tr *t, ir_val base, uint32_t offset)
{
    return load_piece(t, far(t, base, offset, IR_SPACE_PRIVATE), 4, false);
}

/* ---- memcpy, memmove, memset ---- */

static bool
is_generic(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == GENERIC_SPACE;
}

static struct place
place_of(struct tr *t, LLVMValueRef pointer, bool is_volatile)
{
    return (struct place){ .base = tr_get1(t, pointer),
                           .space = is_generic(pointer) ? IR_SPACE_GLOBAL
                                                        : tr_space(t, pointer),
                           .is_volatile = is_volatile };
}

enum { UNROLL = 256 }; /* bytes that are copied without a loop */

struct block_copy {
    struct place to, from;
    ir_val fill;    /* what memset writes; IR_NONE: bytes of `from` */
    uint32_t bytes; /* in all */
    unsigned piece; /* bytes of an access: 1, 2 or 4 */
    bool overlaps;  /* `to` may lie in what is read (memmove) */
};

/* i = f(i), which is `next`, until the loop ends; begins as `first`. */
static struct ir_insn *
loop_value(struct tr *t, ir_val first)
{
    struct ir_insn *phi = tr_emit(t, IR_PHI, 1);
    phi->many = arena_new(t->m->arena, ir_val, 2);
    phi->n_many = 2;
    phi->many[0] = first;
    return phi;
}

/*
 * Where a loop begins, and in *step what it adds, a piece: at the end and
 * downwards if `to` lies behind the first byte of `from` and before its last,
 * which (unsigned)(to - from) < bytes says.  Each lane has its own direction.
 */
static ir_val
first_piece(struct tr *t, const struct block_copy *c, uint32_t whole,
            ir_val *step)
{
    int32_t piece = (int32_t)c->piece;
    if (!c->overlaps) {
        *step = tr_const(t, piece);
        return IR_ZERO;
    }
    ir_val distance = tr_op(t, ISA_SUB, c->to.base, c->from.base);
    ir_val down = tr_op(t, ISA_SLTU, distance, tr_const(t, (int32_t)c->bytes));
    ir_val mask = tr_op(t, ISA_SUB, IR_ZERO, down);
    /* piece, or -piece = piece ^ (piece ^ -piece) */
    *step = tr_opi(t, ISA_XOR, tr_opi(t, ISA_AND, mask, piece ^ -piece), piece);
    return tr_opi(t, ISA_AND, mask, (int32_t)whole - piece);
}

/*
 * n = whole; do { copy a piece at i; i += step; } while (n -= piece);
 * without `overlaps` i itself counts: while (i != whole).
 */
static void
copy_loop(struct tr *t, const struct block_copy *c, uint32_t whole)
{
    struct place to = c->to, from = c->from;
    ir_val step, first = first_piece(t, c, whole, &step);
    ir_val all = tr_const(t, (int32_t)whole);
    struct ir_block *before = t->block, *body = tr_new_block(t);
    ir_append(before, ir_insn_new(t->f, IR_JUMP));
    ir_link(before, 0, body);
    struct ir_insn *i = loop_value(t, first);
    struct ir_insn *left = c->overlaps ? loop_value(t, all) : NULL;
    to.base = tr_op(t, ISA_ADD, to.base, i->dst);
    ir_val word = c->fill;
    if (!word) {
        from.base = tr_op(t, ISA_ADD, from.base, i->dst);
        word = load_piece(t, from, c->piece, false);
    }
    store_piece(t, to, c->piece, word);
    i->many[1] = tr_op(t, ISA_ADD, i->dst, step);
    if (left)
        left->many[1] = tr_opi(t, ISA_ADD, left->dst, -(int32_t)c->piece);
    struct ir_insn *branch = tr_emit(t, ISA_BNE, 0);
    branch->src[1] = left ? left->many[1] : i->many[1];
    branch->src[2] = left ? IR_ZERO : all;
    struct ir_block *after = tr_new_block(t);
    ir_link(body, 0, body);
    ir_link(body, 1, after);
}

/* The piece at `done`, of as many bytes as are left, or of `most`. */
static unsigned
piece_at(const struct block_copy *c, uint32_t done, unsigned most)
{
    while (done + most > c->bytes)
        most /= 2;
    return most;
}

/* All loads before all stores, since the two may overlap: what no loop copies,
 * or what is left behind its last piece. */
static void
copy_block(struct tr *t, const struct block_copy *c)
{
    uint32_t done = c->bytes > UNROLL ? c->bytes / c->piece * c->piece : 0;
    ir_val words[UNROLL];
    unsigned n = 0;
    for (uint32_t i = done, k = c->piece; i < c->bytes; i += k) {
        struct place p = c->from;
        p.offset += (int32_t)i;
        k = piece_at(c, i, k);
        words[n++] = c->fill ? c->fill : load_piece(t, p, k, false);
    }
    if (done)
        copy_loop(t, c, done);
    n = 0;
    for (uint32_t i = done, k = c->piece; i < c->bytes; i += k) {
        struct place p = c->to;
        p.offset += (int32_t)i;
        k = piece_at(c, i, k);
        store_piece(t, p, k, words[n++]);
    }
}

/*
 * A generic pointer as one to private memory (`own`) or to the rest, and in
 * *right whether all that were asked for so far are what they are taken for.
 * Volatile: nothing else knows that global memory may be local here.
 */
static struct place
place_as(struct tr *t, struct place p, bool own, ir_val *right)
{
    ir_val mark = tr_opi(t, ISA_AND, p.base, (int32_t)GENERIC_MARKS);
    ir_val is = tr_op(t, IR_SEQ, mark, tr_const(t, GENERIC_PRIVATE));
    if (own)
        p.base = tr_opi(t, ISA_AND, p.base, (int32_t)~GENERIC_MARKS);
    else
        is = tr_opi(t, ISA_XOR, is, 1);
    p.space = own ? IR_SPACE_PRIVATE : IR_SPACE_GLOBAL;
    p.is_volatile = true;
    *right = *right ? tr_op(t, ISA_AND, *right, is) : is;
    return p;
}

/* A copy for each pair of memories that generic pointers may mean, of which
 * each lane does one. */
static void
copy_generic(struct tr *t, const struct block_copy *c, bool to, bool from)
{
    for (unsigned own = 0; own < 4; own++) {
        bool to_own = own & 1, from_own = own & 2;
        if ((to_own && !to) || (from_own && !from))
            continue;
        struct block_copy each = *c;
        ir_val right = IR_NONE;
        if (to)
            each.to = place_as(t, c->to, to_own, &right);
        if (from)
            each.from = place_as(t, c->from, from_own, &right);
        struct ir_insn *branch = tr_emit(t, ISA_BEQ, 0);
        branch->src[1] = right;
        branch->src[2] = IR_ZERO;
        struct ir_block *before = t->block, *body = tr_new_block(t);
        copy_block(t, &each);
        tr_emit(t, IR_JUMP, 0);
        struct ir_block *end = t->block, *after = tr_new_block(t);
        ir_link(before, 0, after);
        ir_link(before, 1, body);
        ir_link(end, 0, after);
    }
}

bool
tr_memory_call(struct tr *t, LLVMValueRef in, const char *name)
{
    LLVMValueRef length = LLVMGetOperand(in, 2);
    if (!LLVMIsAConstantInt(length))
        return tr_fail(t, "block copies of variable length are not supported");
    bool is_volatile = LLVMConstIntGetZExtValue(LLVMGetOperand(in, 3)) != 0;
    struct block_copy c = {
        .to = place_of(t, LLVMGetOperand(in, 0), is_volatile),
        .bytes = (uint32_t)LLVMConstIntGetZExtValue(length),
        .overlaps = strncmp(name, "llvm.memmove", 12) == 0,
    };
    unsigned align = front_param_align(in, 0);
    if (strncmp(name, "llvm.memset", 11) == 0) {
        ir_val byte = tr_zext(t, tr_get1(t, LLVMGetOperand(in, 1)), 8);
        c.fill = tr_opi(t, ISA_MUL, byte, 0x01010101);
    } else {
        c.from = place_of(t, LLVMGetOperand(in, 1), is_volatile);
        unsigned other = front_param_align(in, 1);
        align = other < align ? other : align;
    }
    c.piece = align > 4 ? 4 : align ? align : 1;
    bool to = is_generic(LLVMGetOperand(in, 0));
    bool from = !c.fill && is_generic(LLVMGetOperand(in, 1));
    if (to || from)
        copy_generic(t, &c, to, from);
    else
        copy_block(t, &c);
    return true;
}
