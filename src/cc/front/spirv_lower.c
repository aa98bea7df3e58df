/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pass over a module: types and definitions are recorded as they come, which in
 * SPIR-V is before their use, and each instruction is copied or replaced.  Constants and
 * types that a replacement needs are put before the first function.  Numbers and
 * operands: "SPIR-V Specification", 3.
 */
#include "cc/front/spirv_lower.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

enum opcode {
    OP_UNDEF = 1,
    OP_SOURCE = 3,
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_LINE = 8,
    OP_EXTENSION = 10,
    OP_MEMORY_MODEL = 14,
    OP_ENTRY_POINT = 15,
    OP_CAPABILITY = 17, /* the last of those before annotations */
    OP_TYPE_VOID = 19,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_FORWARD_POINTER = 39,
    OP_CONSTANT_FALSE = 42,
    OP_CONSTANT = 43,
    OP_CONSTANT_NULL = 46,
    OP_FUNCTION = 54,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_COPY_MEMORY = 63,
    OP_COPY_MEMORY_SIZED = 64,
    OP_DECORATE = 71,
    OP_GROUP_MEMBER_DECORATE = 75,
    OP_VECTOR_SHUFFLE = 79,
    OP_COMPOSITE_CONSTRUCT = 80,
    OP_COMPOSITE_EXTRACT = 81,
    OP_COMPOSITE_INSERT = 82,
    OP_S_CONVERT = 114,
    OP_CONVERT_PTR_TO_U = 117,
    OP_BITCAST = 124,
    OP_I_SUB = 130,
    OP_S_DIV = 135,
    OP_I_EQUAL = 170,
    OP_I_NOT_EQUAL = 171,
    OP_NO_LINE = 317,
    OP_DECORATE_ID = 332,
    OP_COPY_LOGICAL = 400,
    OP_PTR_EQUAL = 401,
    OP_PTR_NOT_EQUAL = 402,
    OP_PTR_DIFF = 403,
    OP_DECORATE_STRING = 5632,
    OP_MEMBER_DECORATE_STRING = 5633
};

enum { HEAD = 5, AT_BOUND = 3, IDS_MAX = 1 << 22 };
enum { C_PACKED = 10 };
enum { VOLATILE = 1, ALIGNED = 2, NONTEMPORAL = 4 }; /* memory operands */
/* Types that one instruction may make it look at: a type with many members of types with
 * many members has more of them than there is time for. */
enum { VISITS_MAX = 4096 };

typedef vec(uint32_t) word_vec;

struct lower {
    struct arena *arena;
    const uint32_t *words;
    size_t n;
    uint32_t bound, made; /* ids of the module; the next that is free */
    size_t *at;           /* of an id: where it is defined, 0: not yet */
    uint32_t *type;       /* of an id: the type of the value, 0: it has none */
    bool *packed;         /* of an id: a structure without gaps */
    unsigned visits;      /* of types, for the instruction at hand */
    unsigned address_bits;
    uint32_t address;    /* the integer type of addresses */
    word_vec head, body; /* what is before the first function; the rest */
    bool in_body;
    word_vec initial; /* pointer and value of each variable of the function */
};

/* ---- what the module has ---- */

static uint32_t
word(const struct lower *l, size_t at, size_t i)
{
    return i < l->words[at] >> 16 ? l->words[at + i] : 0;
}

/* Offset of the instruction that defines `id`, a type or constant of this kind; else 0. */
static size_t
defined_at(const struct lower *l, uint32_t id, enum opcode kind)
{
    size_t at = id < l->bound ? l->at[id] : 0;
    return at && (l->words[at] & 0xffff) == (uint32_t)kind ? at : 0;
}

static uint32_t
type_of(const struct lower *l, uint32_t id)
{
    return id < l->bound ? l->type[id] : 0;
}

static bool
is_type(uint32_t op)
{
    return op >= OP_TYPE_VOID && op < OP_TYPE_FORWARD_POINTER;
}

/* Whether the first operand can be a type that is not the result's. */
static bool
is_annotation(uint32_t op)
{
    return op == OP_NAME || op == OP_MEMBER_NAME || op == OP_DECORATE_ID ||
           (op >= OP_DECORATE && op <= OP_GROUP_MEMBER_DECORATE) ||
           (op >= OP_MEMORY_MODEL && op <= OP_CAPABILITY) || op == OP_SOURCE ||
           op == OP_TYPE_FORWARD_POINTER;
}

/* Notes what an instruction defines: one that begins with a type has a result of it. */
static void
note(struct lower *l, size_t at)
{
    uint32_t op = l->words[at] & 0xffff, first = word(l, at, 1),
             second = word(l, at, 2);
    if (op == OP_DECORATE && second == C_PACKED && first < l->bound)
        l->packed[first] = true;
    if (is_type(op) && first < l->bound) {
        l->at[first] = at;
    } else if (!is_annotation(op) && first < l->bound && l->at[first] &&
               is_type(l->words[l->at[first]] & 0xffff) && second < l->bound) {
        l->at[second] = at;
        l->type[second] = first;
    }
}

/* ---- what is written ---- */

static void
put(struct lower *l, word_vec *to, enum opcode op, const uint32_t *operands,
    size_t n)
{
    vec_push(l->arena, to, (uint32_t)(n + 1) << 16 | op);
    for (size_t i = 0; i < n; i++)
        vec_push(l->arena, to, operands[i]);
}

#define PUT(l, to, op, ...)                           \
    put(l, to, op, (const uint32_t[]){ __VA_ARGS__ }, \
        sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static word_vec *
place(struct lower *l)
{
    return l->in_body ? &l->body : &l->head;
}

static void
copy(struct lower *l, size_t at)
{
    for (size_t i = 0; i < l->words[at] >> 16; i++)
        vec_push(l->arena, place(l), l->words[at + i]);
}

static uint32_t
address_type(struct lower *l)
{
    if (!l->address) {
        l->address = l->made++;
        PUT(l, &l->head, OP_TYPE_INT, l->address, l->address_bits, 0);
    }
    return l->address;
}

/* ---- composites ---- */

/* The type of a member of a structure or an array, and how many there are. */
static uint32_t
member_type(const struct lower *l, uint32_t type, uint32_t i, uint32_t *n)
{
    size_t at = defined_at(l, type, OP_TYPE_STRUCT);
    if (at) {
        *n = (l->words[at] >> 16) - 2;
        return word(l, at, 2 + i);
    }
    at = defined_at(l, type, OP_TYPE_ARRAY);
    size_t length = at ? defined_at(l, word(l, at, 3), OP_CONSTANT) : 0;
    *n = length ? word(l, length, 3) : 0;
    return at ? word(l, at, 2) : 0;
}

/* Puts a value into the composite so far, which is *so_far after it; the last one has
 * the result's id. */
static void
insert(struct lower *l, uint32_t type, uint32_t result, uint32_t value,
       uint32_t i, bool last, uint32_t *so_far)
{
    uint32_t to = last ? result : l->made++;
    PUT(l, place(l), OP_COMPOSITE_INSERT, type, to, value, *so_far, i);
    *so_far = to;
}

static uint32_t
undef(struct lower *l, uint32_t type)
{
    uint32_t id = l->made++;
    PUT(l, place(l), OP_UNDEF, type, id);
    return id;
}

static uint32_t
extract(struct lower *l, uint32_t type, uint32_t composite, uint32_t i)
{
    uint32_t id = l->made++;
    PUT(l, place(l), OP_COMPOSITE_EXTRACT, type, id, composite, i);
    return id;
}

/* The number of components that a constituent of a vector has. */
static uint32_t
components(const struct lower *l, uint32_t value)
{
    size_t at = defined_at(l, type_of(l, value), OP_TYPE_VECTOR);
    return at ? word(l, at, 3) : 1;
}

/* The constituents one after another; those of a vector may be vectors. */
static bool
construct(struct lower *l, size_t at)
{
    enum { WIDEST = 16 };
    uint32_t type = word(l, at, 1), result = word(l, at, 2), all = 0, i = 0;
    size_t n = l->words[at] >> 16, vector = defined_at(l, type, OP_TYPE_VECTOR);
    for (size_t k = 3; k < n; k++) {
        uint32_t parts = vector ? components(l, word(l, at, k)) : 1;
        if (parts > WIDEST)
            return false;
        all += parts;
    }
    if (!all)
        return false;
    uint32_t so_far = undef(l, type);
    for (size_t k = 3; k < n; k++) {
        uint32_t value = word(l, at, k);
        bool parted =
            vector && defined_at(l, type_of(l, value), OP_TYPE_VECTOR);
        uint32_t parts = parted ? components(l, value) : 1;
        for (uint32_t c = 0; c < parts; c++, i++) {
            uint32_t part =
                parted ? extract(l, word(l, vector, 2), value, c) : value;
            insert(l, type, result, part, i, i + 1 == all, &so_far);
        }
    }
    return true;
}

/* Vectors of two lengths; those of one length are copied. */
static bool
shuffle(struct lower *l, size_t at)
{
    enum { UNDEFINED = -1 };
    uint32_t type = word(l, at, 1), result = word(l, at, 2);
    uint32_t x = word(l, at, 3), y = word(l, at, 4), n = l->words[at] >> 16;
    size_t vector = defined_at(l, type, OP_TYPE_VECTOR);
    if (!vector || n <= 5 || type_of(l, x) == type_of(l, y))
        return false;
    uint32_t so_far = undef(l, type), of_x = components(l, x);
    uint32_t element = word(l, vector, 2);
    for (uint32_t i = 5; i < n; i++) {
        uint32_t from = word(l, at, i);
        uint32_t part = from == (uint32_t)UNDEFINED ? undef(l, element)
                        : from < of_x ? extract(l, element, x, from)
                                      : extract(l, element, y, from - of_x);
        insert(l, type, result, part, i - 5, i + 1 == n, &so_far);
    }
    return true;
}

/* Whether a value of type `from` can be copied member by member. */
static bool
matches(struct lower *l, uint32_t to, uint32_t from)
{
    uint32_t n, m;
    if (to == from)
        return true;
    member_type(l, to, 0, &n);
    member_type(l, from, 0, &m);
    if (n != m || !n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (++l->visits > VISITS_MAX ||
            !matches(l, member_type(l, to, i, &m), member_type(l, from, i, &m)))
            return false;
    return true;
}

/* The value as one of the type `to`, with the id `result` or, if that is 0, a new one. */
static uint32_t
copy_logical(struct lower *l, uint32_t to, uint32_t result, uint32_t from,
             uint32_t value)
{
    uint32_t n, ignored;
    if (to == from)
        return value;
    member_type(l, to, 0, &n);
    if (!result)
        result = l->made++;
    uint32_t so_far = undef(l, to);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t of = member_type(l, from, i, &ignored);
        uint32_t part = copy_logical(l, member_type(l, to, i, &ignored), 0, of,
                                     extract(l, of, value, i));
        insert(l, to, result, part, i, i + 1 == n, &so_far);
    }
    return result;
}

static bool
lower_copy_logical(struct lower *l, size_t at)
{
    uint32_t to = word(l, at, 1), value = word(l, at, 3);
    uint32_t from = type_of(l, value);
    if (!from || to == from || !matches(l, to, from))
        return false;
    copy_logical(l, to, word(l, at, 2), from, value);
    return true;
}

/* ---- pointers ---- */

struct layout {
    uint64_t size, align;
};

static struct layout
layout_of(struct lower *l, uint32_t type);

static uint64_t
round_up(uint64_t size, uint64_t align)
{
    return (size + align - 1) / align * align;
}

static struct layout
layout_of_struct(struct lower *l, uint32_t type, uint32_t members)
{
    struct layout all = { 0, 1 };
    for (uint32_t i = 0; i < members; i++) {
        uint32_t ignored;
        struct layout one = layout_of(l, member_type(l, type, i, &ignored));
        if (!one.size)
            return one;
        if (l->packed[type])
            one.align = 1;
        all.align = one.align > all.align ? one.align : all.align;
        all.size = round_up(all.size, one.align) + one.size;
    }
    all.size = round_up(all.size, all.align);
    return all;
}

/* Size and alignment in bytes, as OpenCL C has them; a size of 0: not known. */
static struct layout
layout_of(struct lower *l, uint32_t type)
{
    size_t at;
    if (++l->visits > VISITS_MAX)
        return (struct layout){ 0, 1 };
    if (defined_at(l, type, OP_TYPE_BOOL))
        return (struct layout){ 1, 1 };
    if (defined_at(l, type, OP_TYPE_POINTER))
        return (struct layout){ l->address_bits / 8, l->address_bits / 8 };
    if ((at = defined_at(l, type, OP_TYPE_INT)) ||
        (at = defined_at(l, type, OP_TYPE_FLOAT)))
        return (struct layout){ word(l, at, 2) / 8, word(l, at, 2) / 8 };
    if ((at = defined_at(l, type, OP_TYPE_VECTOR))) {
        uint64_t n = word(l, at, 3) == 3 ? 4 : word(l, at, 3);
        uint64_t size = n * layout_of(l, word(l, at, 2)).size;
        return (struct layout){ size, size };
    }
    uint32_t n = 0, element = member_type(l, type, 0, &n);
    if (defined_at(l, type, OP_TYPE_STRUCT))
        return layout_of_struct(l, type, n);
    if (!element)
        return (struct layout){ 0, 1 };
    struct layout all = layout_of(l, element);
    all.size *= n;
    return all;
}

static uint32_t
address_of(struct lower *l, uint32_t pointer)
{
    uint32_t type = address_type(l), id = l->made++;
    PUT(l, place(l), OP_CONVERT_PTR_TO_U, type, id, pointer);
    return id;
}

static bool
compare_pointers(struct lower *l, size_t at)
{
    bool equal = (l->words[at] & 0xffff) == OP_PTR_EQUAL;
    uint32_t a = address_of(l, word(l, at, 3)),
             b = address_of(l, word(l, at, 4));
    PUT(l, place(l), equal ? OP_I_EQUAL : OP_I_NOT_EQUAL, word(l, at, 1),
        word(l, at, 2), a, b);
    return true;
}

/* The difference in elements: of addresses, divided by the size. */
static bool
subtract_pointers(struct lower *l, size_t at)
{
    size_t pointer = defined_at(l, type_of(l, word(l, at, 3)), OP_TYPE_POINTER);
    uint32_t pointee = pointer ? word(l, pointer, 3) : 0;
    uint64_t size = layout_of(l, pointee).size;
    size_t result = defined_at(l, word(l, at, 1), OP_TYPE_INT);
    if (!size || !result)
        return false;
    uint32_t a = address_of(l, word(l, at, 3)),
             b = address_of(l, word(l, at, 4));
    uint32_t type = address_type(l), by = l->made++, bytes = l->made++,
             n = l->made++;
    if (l->address_bits == 64)
        PUT(l, &l->head, OP_CONSTANT, type, by, (uint32_t)size,
            (uint32_t)(size >> 32));
    else
        PUT(l, &l->head, OP_CONSTANT, type, by, (uint32_t)size);
    PUT(l, place(l), OP_I_SUB, type, bytes, a, b);
    PUT(l, place(l), OP_S_DIV, type, n, bytes, by);
    PUT(l, place(l),
        word(l, result, 2) == l->address_bits ? OP_BITCAST : OP_S_CONVERT,
        word(l, at, 1), word(l, at, 2), n);
    return true;
}

/* ---- the others ---- */

static bool
null_scalar(struct lower *l, size_t at)
{
    uint32_t type = word(l, at, 1), id = word(l, at, 2);
    size_t scalar = defined_at(l, type, OP_TYPE_INT);
    scalar = scalar ? scalar : defined_at(l, type, OP_TYPE_FLOAT);
    if (defined_at(l, type, OP_TYPE_BOOL))
        PUT(l, place(l), OP_CONSTANT_FALSE, type, id);
    else if (scalar && word(l, scalar, 2) > 32)
        PUT(l, place(l), OP_CONSTANT, type, id, 0, 0);
    else if (scalar)
        PUT(l, place(l), OP_CONSTANT, type, id, 0);
    else
        return false;
    return true;
}

/* A copy of an object is a load and a store, each with its own memory operands. */
static bool
copy_object(struct lower *l, size_t at)
{
    size_t pointer = defined_at(l, type_of(l, word(l, at, 1)), OP_TYPE_POINTER);
    uint32_t n = l->words[at] >> 16, mask = word(l, at, 3);
    uint32_t first = n > 3 ? 1 + (mask & ALIGNED ? 1 : 0) : 0;
    uint32_t type = pointer ? word(l, pointer, 3) : 0, value = l->made;
    if (!pointer || mask > ALIGNED + VOLATILE + NONTEMPORAL || 3 + first > n)
        return false;
    uint32_t left = n - 3 - first;
    const uint32_t *target = l->words + at + 3;
    const uint32_t *source = left ? target + first : target;
    uint32_t load[8] = { type, value, word(l, at, 2) };
    uint32_t store[8] = { word(l, at, 1), value };
    if (left > 2)
        return false;
    l->made++;
    memcpy(load + 3, source, (left ? left : first) * sizeof *load);
    memcpy(store + 2, target, first * sizeof *store);
    put(l, place(l), OP_LOAD, load, 3 + (left ? left : first));
    put(l, place(l), OP_STORE, store, 2 + first);
    return true;
}

/* Operands of the copy's target and source become one that is true of both. */
static bool
copy_bytes(struct lower *l, size_t at)
{
    uint32_t n = l->words[at] >> 16, first = word(l, at, 4);
    uint32_t next = 5 + (first & ALIGNED ? 1 : 0), second = word(l, at, next);
    if (next >= n || (first | second) > ALIGNED + VOLATILE + NONTEMPORAL)
        return false;
    uint32_t aligned = word(l, at, 5), other = word(l, at, next + 1);
    uint32_t mask = ((first | second) & VOLATILE) |
                    (first & second & (ALIGNED | NONTEMPORAL));
    uint32_t operands[] = { word(l, at, 1), word(l, at, 2), word(l, at, 3),
                            mask, aligned < other ? aligned : other };
    put(l, place(l), OP_COPY_MEMORY_SIZED, operands, mask & ALIGNED ? 5 : 4);
    return true;
}

/* A variable of a function gets its value by a store: of one with an initializer the
 * translator makes one for all work-items. */
static bool
variable(struct lower *l, size_t at)
{
    enum { FUNCTION = 7 };
    uint32_t id = word(l, at, 2), value = word(l, at, 4);
    if (word(l, at, 3) != FUNCTION || !value)
        return false;
    PUT(l, place(l), OP_VARIABLE, word(l, at, 1), id, FUNCTION);
    vec_push(l->arena, &l->initial, id);
    vec_push(l->arena, &l->initial, value);
    return true;
}

/* The stores stand after all variables of the function, which are at its beginning. */
static void
store_initial(struct lower *l, uint32_t op)
{
    if (op == OP_VARIABLE || op == OP_LINE || op == OP_NO_LINE)
        return;
    for (size_t i = 0; i < l->initial.n; i += 2)
        PUT(l, place(l), OP_STORE, l->initial.at[i], l->initial.at[i + 1]);
    l->initial.n = 0;
}

/* llvm-spirv knows additions to halves as part of the extension for the other types. */
static bool
rename_extension(struct lower *l, size_t at)
{
    static const char of_halves[] = "SPV_EXT_shader_atomic_float16_add",
                      of_all[] = "SPV_EXT_shader_atomic_float_add";
    uint32_t name[sizeof of_all / 4] = { 0 };
    static_assert(sizeof of_all % 4 == 0, "the text is whole words");
    if (((l->words[at] >> 16) - 1) * 4 < sizeof of_halves ||
        memcmp(l->words + at + 1, of_halves, sizeof of_halves) != 0)
        return false;
    memcpy(name, of_all, sizeof of_all);
    put(l, place(l), OP_EXTENSION, name, sizeof name / sizeof *name);
    return true;
}

/* Writes something else than the instruction; false: it is copied. */
static bool
replace(struct lower *l, size_t at)
{
    switch (l->words[at] & 0xffff) {
    case OP_DECORATE_STRING:
    case OP_MEMBER_DECORATE_STRING:
        return true; /* semantics of the user's, which say nothing to a compiler */
    case OP_EXTENSION:
        return rename_extension(l, at);
    case OP_CONSTANT_NULL:
        return null_scalar(l, at);
    case OP_VARIABLE:
        return variable(l, at);
    case OP_COPY_MEMORY:
        return copy_object(l, at);
    case OP_COPY_MEMORY_SIZED:
        return copy_bytes(l, at);
    case OP_VECTOR_SHUFFLE:
        return shuffle(l, at);
    case OP_COMPOSITE_CONSTRUCT:
        return construct(l, at);
    case OP_COPY_LOGICAL:
        return lower_copy_logical(l, at);
    case OP_PTR_EQUAL:
    case OP_PTR_NOT_EQUAL:
        return compare_pointers(l, at);
    case OP_PTR_DIFF:
        return subtract_pointers(l, at);
    }
    return false;
}

/* The words from HEAD on that are whole instructions. */
static size_t
whole(const uint32_t *words, size_t n)
{
    size_t at = HEAD;
    while (at < n && words[at] >> 16 && words[at] >> 16 <= n - at)
        at += words[at] >> 16;
    return at;
}

uint32_t *
front_spirv_lower(struct arena *a, const uint32_t *words, size_t *n)
{
    struct lower l = {
        .arena = a, .words = words, .n = *n, .address_bits = 32
    };
    l.bound = l.made = *n > HEAD ? words[AT_BOUND] : 0;
    if (!l.bound || l.bound > IDS_MAX || whole(words, *n) != *n) {
        uint32_t *same = arena_new(a, uint32_t, *n + 1);
        return memcpy(same, words, *n * sizeof *words);
    }
    l.at = arena_new(a, size_t, l.bound);
    l.type = arena_new(a, uint32_t, l.bound);
    l.packed = arena_new(a, bool, l.bound);
    for (size_t i = 0; i < HEAD; i++)
        vec_push(a, &l.head, words[i]);
    for (size_t at = HEAD; at < *n; at += words[at] >> 16) {
        uint32_t op = words[at] & 0xffff;
        l.in_body |= op == OP_FUNCTION;
        if (op == OP_MEMORY_MODEL && word(&l, at, 1) == 2)
            l.address_bits = 64;
        if (op == OP_TYPE_INT && word(&l, at, 2) == l.address_bits)
            l.address = word(&l, at, 1);
        l.visits = 0;
        note(&l, at);
        store_initial(&l, op);
        if (!replace(&l, at))
            copy(&l, at);
    }
    for (size_t i = 0; i < l.body.n; i++)
        vec_push(a, &l.head, l.body.at[i]);
    l.head.at[AT_BOUND] = l.made;
    *n = l.head.n;
    return l.head.at;
}
