/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Ventus instruction set: decode, encode, print, look up.
 *
 * The library is generated from one table, src/isa/ventus.isa.  A program is a
 * sequence of 32-bit words.  Most words are an instruction by themselves; a
 * prefix word (regext, regexti, regpair, regpairi, prefix, prefixi, pre_m_*)
 * changes the meaning of the next word, and both together are one struct
 * ventus_isa_insn with full register numbers and immediates:
 *
 *     struct ventus_isa_insn in;
 *     unsigned n = ventus_isa_decode(VENTUS_ISA_V1, words, count, &in);
 *                                                   n = words taken
 *     char text[VENTUS_ISA_TEXT_MAX];
 *     struct ventus_isa_print options = { .pc = pc };
 *     ventus_isa_print(&in, &options, text, sizeof text);
 *     uint32_t back[2];
 *     ventus_isa_encode(&in, back);               == n, same words
 *
 * Two versions of the specification give some words different meanings; every
 * call that reads words says which version it means.  The library allocates
 * nothing, keeps no state and is safe from any thread.
 *
 * Source: Ventus architecture manual v2.02 (VENTUS_ISA_V1) and draft v0429
 * (VENTUS_ISA_V2).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/isa_ops.h> /* generated: enum ventus_isa_op ... */

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__ /* Exported, whatever -fvisibility says. */
#pragma GCC visibility push(default)
#endif

enum ventus_isa_version {
    VENTUS_ISA_V1 = 1,
    VENTUS_ISA_V2 = 2
}; /* one bit each: ventus_isa_info.versions */

/* Values of ventus_isa_insn.hint, as cycle-level machines take them
 * (microarchitecture.md, Cache hints).  The draft has the field without values: these
 * are this project's; 4 to 15 do the same as 0. */
enum ventus_isa_hint {
    VENTUS_ISA_HINT_DEFAULT,
    VENTUS_ISA_HINT_STREAM, /* used once: no line is allocated */
    VENTUS_ISA_HINT_KEEP,   /* other lines of the set are replaced first */
    VENTUS_ISA_HINT_BYPASS  /* the L1D is bypassed, the L2 caches it */
};

/* The 3-bit field of a prefix that extends a register operand. */
enum ventus_isa_slot {
    VENTUS_ISA_SLOT_D,
    VENTUS_ISA_SLOT_1,
    VENTUS_ISA_SLOT_2,
    VENTUS_ISA_SLOT_3
};

/* Address space and access width of pre_m_* (draft, PREFIX). */
enum ventus_isa_space {
    VENTUS_ISA_SPACE_DEFAULT, /* as the access instruction itself says */
    VENTUS_ISA_SPACE_GLOBAL,  /* + csr_gds */
    VENTUS_ISA_SPACE_PRIVATE, /* interleaved over threads, + csr_pds */
    VENTUS_ISA_SPACE_LOCAL    /* + csr_lds */
};

/*
 * A decoded instruction, prefix included.  Members an instruction does not
 * have are 0.  Register numbers are full: 0..63 for scalar registers of legal
 * programs (0..255 can be encoded), 0..255 for vector registers.
 */
struct ventus_isa_insn {
    uint8_t aqrl; /* bit 1 acquire, bit 0 release */
    /* prefix: even registers are 64-bit pairs; in an access only the address is:
     * ventus_isa_is_pair. */
    uint8_t pair;
    uint16_t op;     /* enum ventus_isa_op */
    uint8_t reg[4];  /* by enum ventus_isa_slot: rd/vd/vs3, rs1/vs1, rs2, rs3 */
    int32_t imm;     /* sign- or zero-extended and scaled, as written */
    uint8_t vm;      /* 1: unmasked; 0: lanes with bit 0 of v0 set */
    uint8_t rm;      /* rounding mode field of scalar floating point */
    uint16_t aux;    /* CSR number; vtype of vset*; fm|pred|succ of fence */
    uint16_t prefix; /* enum ventus_isa_op of the prefix word, 0 = none */
    uint8_t abs, neg;      /* prefix: bit 0 src1, bit 1 src2, bit 2 src3 */
    uint8_t space;         /* pre_m_*: enum ventus_isa_space */
    uint8_t width;         /* pre_m_*: words per lane, 1..4; 0 = no pre_m */
    uint8_t hint;          /* pre_m_*: cache hint, 0..15 */
    uint16_t ext;          /* prefix word, bits 31..20, as encoded */
    uint16_t spare;        /* meaningless bits of the word, as encoded */
    uint16_t prefix_spare; /* meaningless bits of the prefix word */
    /* Version 2, rows that accumulate: the accumulator is read from
     * reg[VENTUS_ISA_SLOT_3] and not from vd; both have the same low five bits. */
    bool split;
};

/* An operand field of an instruction word. */
struct ventus_isa_field {
    const char *name;
    uint8_t kind;   /* enum ventus_isa_kind */
    uint8_t member; /* enum ventus_isa_member that holds its value */
    uint8_t reloc;  /* enum ventus_isa_reloc: the relocations that fit */
    uint8_t scale;  /* value = field << scale */
    uint8_t width;  /* bits in the word, without scale */
    bool is_signed;
    bool out, read; /* writes its register, reads it */
    bool pair;      /* an even register standing for a 64-bit pair */
    bool wide;      /* regexti and similar add six bits on top */
    uint8_t pieces; /* in the word, high to low */
    struct {
        uint8_t hi, lo;
    } piece[4];
};

/* A row of the table. */
struct ventus_isa_info {
    const char *name;
    const char *prose;   /* one line of prose: the effect */
    const char *meaning; /* name of its function in src/isa/sem.h */
    uint32_t match, mask;
    uint32_t flags;   /* enum ventus_isa_flag */
    uint8_t versions; /* enum ventus_isa_version, or-ed */
    uint8_t format;   /* enum ventus_isa_format */
    uint8_t unit;     /* enum ventus_isa_unit */
    uint8_t lat;      /* enum ventus_isa_lat: index into ventus_isa_latency */
    uint8_t group;    /* index into ventus_isa_groups */
};

/* The syntax of operands.  In a syntax string a byte of 128 and more stands for the
 * operand of field byte - 128, byte 1 before it for its bare number; every other byte
 * is written as it is: "\200, \216(\201)". */
struct ventus_isa_format_info {
    const char *name;
    /* [0] GNU; [1] commit log; [2..] read, never printed; or NULL. */
    const char *syntax[4];
    uint8_t fields;
    uint8_t field[8]; /* indices into ventus_isa_fields */
};

/* Another way to write a row with some operands fixed. */
struct ventus_isa_alias {
    const char *name;
    const char *syntax; /* as in struct ventus_isa_format_info */
    uint16_t op;
    bool printed; /* matching words are printed in this form */
    uint8_t next; /* 1 + the next printed alias of the op, 0: none */
    uint8_t fixed;
    struct {
        uint8_t field; /* index into ventus_isa_fields */
        uint8_t same;  /* not 0: equals the operand of field same - 1 */
        int32_t value;
    } fix[3];
};

struct ventus_isa_csr {
    const char *name;
    uint16_t number;
    bool read_only;
    const char *prose;
};

/* A latency class of the default machine. */
struct ventus_isa_latency {
    const char *name;
    uint8_t unit;     /* enum ventus_isa_unit */
    uint8_t cycles;   /* issue to result */
    uint8_t interval; /* cycles the unit stays busy */
    const char *prose;
};

extern const struct ventus_isa_info ventus_isa_info[VENTUS_ISA_OP_COUNT];
/* Further lines of prose, or NULL. */
extern const char *const ventus_isa_more_prose[VENTUS_ISA_OP_COUNT];
extern const struct ventus_isa_field ventus_isa_fields[VENTUS_ISA_FIELD_COUNT];
extern const struct ventus_isa_format_info
    ventus_isa_formats[VENTUS_ISA_FORMAT_COUNT];
extern const struct ventus_isa_alias ventus_isa_aliases[VENTUS_ISA_ALIAS_COUNT];
/* 1 + index of the first printed alias, or 0. */
extern const uint8_t ventus_isa_first_alias[VENTUS_ISA_OP_COUNT];
/* By row and enum ventus_isa_relation: the row that is related to it so, as in the table;
 * VENTUS_ISA_NONE if there is none. */
extern const uint16_t ventus_isa_related[VENTUS_ISA_OP_COUNT]
                                        [VENTUS_ISA_RELATION_COUNT];
extern const struct ventus_isa_csr ventus_isa_csrs[VENTUS_ISA_CSR_COUNT];
extern const struct ventus_isa_latency ventus_isa_latency[VENTUS_ISA_LAT_COUNT];
extern const char *const ventus_isa_groups[VENTUS_ISA_GROUP_COUNT];
extern const char
    *const ventus_isa_group_std[VENTUS_ISA_GROUP_COUNT]; /* extension, or "" */
extern const char *const ventus_isa_unit_names[VENTUS_ISA_UNIT_COUNT];
extern const char *const ventus_isa_flag_names[VENTUS_ISA_FLAG_COUNT];

/* The field that holds a register slot in the words of an instruction; NULL: no field
 * does. */
const struct ventus_isa_field *
ventus_isa_slot_field(unsigned op, enum ventus_isa_slot slot);

/* Reads the value of a field's member in an instruction, and sets it. */
int32_t
ventus_isa_get(const struct ventus_isa_insn *in,
               const struct ventus_isa_field *field);

void
ventus_isa_set(struct ventus_isa_insn *in, const struct ventus_isa_field *field,
               int32_t value);

/*
 * Decodes one word without looking for a prefix; prefix words decode as
 * instructions of their own.  False, and `out` is all zero, if no
 * instruction of that version has this word.
 */
bool
ventus_isa_decode_word(enum ventus_isa_version version, uint32_t word,
                       struct ventus_isa_insn *out);

/*
 * Decodes the instruction that starts at words[0] and folds a prefix into it.
 * Returns the words taken: 1, or 2 with a prefix; 0 if words[0] is none.  A
 * prefix stands alone, and does nothing, when the next word is no
 * instruction, is a prefix too, or is not what the prefix can act on (pre_m_*
 * before anything but a memory access).  A prefix that asks for what the next
 * instruction has no meaning for is refused: 0 (decision 8).
 */
unsigned
ventus_isa_decode(enum ventus_isa_version version, const uint32_t *words,
                  size_t count, struct ventus_isa_insn *out);

/* The reason why the prefix at words[0] is refused before words[1]; NULL: it is
 * accepted. */
const char *
ventus_isa_refused(enum ventus_isa_version version, const uint32_t *words,
                   size_t count);

/*
 * The inverse of ventus_isa_decode: writes 1 or 2 words and returns how many; 0
 * if a member does not fit its field (ventus_isa_check says which).
 */
unsigned
ventus_isa_encode(const struct ventus_isa_insn *in, uint32_t words[2]);

/*
 * Says what keeps `in` from being encoded for `version`, in a static string
 * or in `text` ("imm 70000 does not fit 12 signed bits"); NULL if nothing.
 */
const char *
ventus_isa_check(enum ventus_isa_version version,
                 const struct ventus_isa_insn *in, char *text, size_t size);

/*
 * Chooses the prefix that `in` needs, if it has none and needs one: registers
 * above 31, an immediate wider than its 5-bit field, in->pair.  False if no
 * prefix of that version can express it.
 */
bool
ventus_isa_add_prefix(enum ventus_isa_version version,
                      struct ventus_isa_insn *in);

enum ventus_isa_style {
    VENTUS_ISA_STYLE_GNU, /* `ventus as` and LLVM: 4(v1), full registers */
    VENTUS_ISA_STYLE_LOG  /* upstream's commit logs: v1, 4; low 5 bits */
};

struct ventus_isa_print {
    enum ventus_isa_style style;
    bool abi_names;  /* a0 for x10 */
    bool scalar_amo; /* atomics on x registers, not v */
    bool no_alias;   /* addi x5, x0, 1 rather than li x5, 1 */
    bool has_pc;     /* targets as addresses; otherwise as "pc + 8" */
    uint64_t pc;     /* address of the instruction word, not its prefix */
    /* Writes a branch target's name, or returns false; may be NULL. */
    bool (*symbol)(void *ctx, uint64_t address, char *out, size_t size);
    void *ctx;
};

enum { VENTUS_ISA_TEXT_MAX = 128, VENTUS_ISA_MNEMONIC_PAD = 8 };

/*
 * Prints one instruction (without its prefix word) into `out`, always with a
 * zero byte, cut to `size`.  Returns the length.  A NULL `options` is all
 * defaults.
 */
size_t
ventus_isa_print(const struct ventus_isa_insn *in,
                 const struct ventus_isa_print *options, char *out,
                 size_t size);

/* The prefix word of `in` as an instruction of its own; op 0 if none. */
struct ventus_isa_insn
ventus_isa_prefix_of(const struct ventus_isa_insn *in);

/* The row (not an alias) of that name in that version, or VENTUS_ISA_NONE. */
enum ventus_isa_op
ventus_isa_find(enum ventus_isa_version version, const char *name,
                size_t length);

/* Finds a CSR by number or lower-case name; NULL: not found. */
const struct ventus_isa_csr *
ventus_isa_csr_by_number(unsigned number);

const struct ventus_isa_csr *
ventus_isa_csr_by_name(const char *name, size_t length);

/* The ABI's name of a scalar register: "a0" for 10; registers from 32 up have "x32". */
const char *
ventus_isa_abi_name(unsigned xreg);

/* Whether an instruction is a prefix, which changes the next word. */
static inline bool
ventus_isa_is_prefix(enum ventus_isa_op op)
{
    return (ventus_isa_info[op].flags & VENTUS_ISA_F_PREFIX) != 0;
}

/*
 * Whether a pair prefix makes the register in that slot the low half of a
 * 64-bit number.  Data of accesses stay 32 bits wide (slides, regpair;
 * lw x9, 0(x6) is lw x41, 0([x7,x6])).
 */
static inline bool
ventus_isa_is_pair(const struct ventus_isa_insn *in, enum ventus_isa_slot slot)
{
    bool access = ventus_isa_info[in->op].flags &
                  (VENTUS_ISA_F_LOAD | VENTUS_ISA_F_STORE);
    return in->pair && in->reg[slot] % 2 == 0 &&
           (!access || slot == VENTUS_ISA_SLOT_1);
}

/* Bytes that `in` takes in memory. */
static inline unsigned
ventus_isa_length(const struct ventus_isa_insn *in)
{
    return in->prefix ? 8 : 4;
}

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
