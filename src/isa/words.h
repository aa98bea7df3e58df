/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ventus/words.h>

#include "isa/lookup.h"

/*
 * Decode, encode and print for instruction sets that words_gen.py has made
 * tables of: tile.isa and rv64.isa.  An instruction is one to four words, the
 * word of the highest role first in memory:
 *
 *     tldx.g tr8, 0(a0), v4.w      role 2   role 1   role 0
 *                                  4250727b 8405007b 0002617b
 *
 * or a 16-bit parcel.  Fields are bits of these words.  Words are no instruction
 * if two copies of a field differ, or if a field with a list of values has
 * another value.
 *
 * A decoded instruction is the struct NAME_insn of the set; the table has the
 * offset of each field in it.  The functions allocate nothing and have no state.
 */
enum words_kind { /* as in words_table.py */
                  WORDS_X,
                  WORDS_F,
                  WORDS_V,
                  WORDS_T,
                  WORDS_S,
                  WORDS_U,
                  WORDS_HEX,
                  WORDS_HI,
                  WORDS_B,
                  WORDS_J,
                  WORDS_CSR,
                  WORDS_VTYPE,
                  WORDS_IORW,
                  WORDS_RM,
                  WORDS_VM,
                  WORDS_AQRL,
                  WORDS_LIST,
                  WORDS_FLAG,
                  WORDS_LOG2,
                  WORDS_OPT,
                  WORDS_MINUS
};

enum { WORDS_MAX = 4, WORDS_FIELDS_MAX = 18 };

struct words_name {
    uint16_t value;
    const char *name, *prose;
};

struct words_list {
    const char *name;
    bool ours; /* defined by this project, not by the document */
    uint8_t count;
    const struct words_name *names;
    uint64_t legal; /* one bit for each value */
};

struct words_field {
    const char *name, *label;
    uint8_t kind;   /* enum words_kind */
    uint8_t size;   /* size of its member in bytes */
    uint16_t where; /* offset of its member */
    /* Offset of log2 of the number of registers it starts, or 0. */
    uint16_t run;
    uint8_t scale, add, width;
    bool is_signed;
    uint8_t list; /* 1 + index, 0 = any value */
    int16_t excluded[2];
    uint8_t pieces, copies;
    struct {
        uint8_t role, hi, lo;
    } piece[8], copy[2];
};

struct words_row {
    const char *name, *mnemonic, *syntax, *prose, *meaning;
    uint32_t match[WORDS_MAX], mask[WORDS_MAX]; /* words in memory order */
    uint8_t words, bytes;
    uint8_t role[WORDS_MAX];
    uint32_t flags;
    uint8_t unit, lat, group;
    uint8_t fields;
    uint8_t field[WORDS_FIELDS_MAX];
};

struct words_alias {
    const char *name, *syntax;
    uint16_t op;
    bool printed;
    uint8_t fixed;
    struct {
        uint8_t field, same; /* same: 1 + the field that it equals */
        int32_t value;
    } fix[3];
};

struct words_csr {
    const char *name;
    uint16_t number;
    bool read_only;
    const char *prose;
};

struct words_latency {
    const char *name;
    uint8_t unit;
    /* Issue to result; cycles that the unit is busy. */
    uint16_t cycles, interval;
    const char *prose;
};

struct words_isa {
    const char *name;
    size_t insn_size;
    uint16_t row_count, field_count, list_count, alias_count, csr_count;
    uint16_t latency_count, group_count, unit_count;
    const struct words_row *rows; /* [0] is unused */
    const struct words_field *fields;
    const struct words_list *lists;
    const struct words_alias *aliases;
    const struct words_csr *csrs;
    const struct words_latency *latencies;
    const char *const *groups, *const *units;
    const struct lookup *lookup; /* leaves are indices into chain[] */
    const uint16_t *chain;       /* candidates; each list ends with 0 */
};

/* The first members of every struct NAME_insn. */
struct words_insn {
    uint16_t op;
    uint8_t size;
};

/* Tables made by words_gen.py. */
extern const struct words_isa tile_words, rv64_words;

/* Decodes the instruction at words[0] (of a 16-bit instruction only the low half
 * counts).  Returns its bytes; 0: no instruction, or cut off at `count`. */
unsigned
words_decode(const struct words_isa *isa, const uint32_t *words, size_t count,
             void *insn);

/* Encodes an instruction and returns its words; 0: a member does not fit. */
unsigned
words_encode(const struct words_isa *isa, const void *insn,
             uint32_t words[WORDS_MAX]);

/* The reason why an instruction cannot be encoded, in `text` or static; NULL: it can
 * be. */
const char *
words_check(const struct words_isa *isa, const void *insn, char *text,
            size_t size);

/* Prints as ventus_isa_print: into `out`, cut to `size`; returns the length. */
size_t
words_print(const struct words_isa *isa, const void *insn,
            const struct ventus_words_print *options, char *out, size_t size);

/* Reads one instruction as words_print writes it (its options in any order, numbers in
 * any base, registers by either name), without leading blanks or a comment.  False,
 * and the reason, if there is no valid instruction.  For tables without branches,
 * whose targets would be expressions: tile.isa. */
bool
words_parse(const struct words_isa *isa, const char *text, void *insn,
            char *error, size_t size);

/* The name of a register: "a0" for 10 of WORDS_X, "fa0" of WORDS_F. */
const char *
words_register(unsigned kind, unsigned number);

int32_t
words_get(const void *insn, const struct words_field *field);

void
words_set(void *insn, const struct words_field *field, int32_t value);

/* The name of a value in a list, or NULL. */
const char *
words_name(const struct words_list *list, int32_t value);
