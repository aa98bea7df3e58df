/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"
#include "cc/code.h"
#include "obj/dwarf_die.h"
#include "obj/dwarf_frame.h"

/*
 * The knowledge of debuggers about a module besides lines: functions, scopes, variables
 * and where they are.  The front half (isel/debug.c) fills the tables and
 * hangs ir_debug before instructions; when a function has code, debuginfo/flow.c
 * finds where its variables are, and debuginfo/entries.c makes entries of all of it.
 * docs/abi.md (Debugging) has the numbers of registers and the addresses.
 */
enum {
    CC_DEBUG_PRIVATE = 0x40000000,   /* + the offset in private memory */
    CC_DEBUG_REGISTERS = 0x50000000, /* those without a number in DWARF: */
    CC_DEBUG_VECTORS =
        0x400, /* CC_DEBUG_REGISTERS + 4 n of x n, + CC_DEBUG_VECTORS + 4 n of v n */
    CC_DEBUG_LOCAL = 0x60000000, /* + the offset of a __local variable */
    CC_DWARF_VECTORS = 96        /* the number of v0 */
};

/* A function of the source. */
struct cc_debug_function {
    const char *name;
    uint32_t file, line;
    struct dwarf_die *type; /* of its result; NULL: void */
    bool is_external;
    struct dwarf_die *abstract; /* once it was inlined */
};

enum cc_scope_kind { CC_SCOPE_FUNCTION, CC_SCOPE_INLINED, CC_SCOPE_BLOCK };

/* A scope, of a function or of one of its inlined copies. */
struct cc_debug_scope {
    enum cc_scope_kind kind;
    uint32_t parent;                    /* 0: none, it is a function */
    struct cc_debug_function *function; /* NULL: a block */
    uint32_t file, line, column;        /* of the call */
    /* debuginfo/entries.c: */
    struct dwarf_die *die;
    vec(struct dwarf_range) ranges;
};

struct cc_debug_variable {
    const char *name;
    uint32_t file, line, scope;
    struct dwarf_die *type;
    uint32_t size_B;
    unsigned arg;     /* of a parameter, from 1 */
    bool has_address; /* it is there wherever the scope is */
    uint32_t address;
    bool from_tp;       /* + the register tp */
    const char *symbol; /* of a constant */
    vec(struct dwarf_location) locations;
};

struct cc_debug {
    vec(struct dwarf_die *) entries;         /* of the unit */
    vec(struct cc_debug_scope) scopes;       /* [0]: none */
    vec(struct cc_debug_variable) variables; /* [0]: none */
    vec(struct dwarf_frame) frames;
};

/* debuginfo/ranges.c: adds to the locations of f's variables; `text` is the section
 * and `start` where in it the code begins. */
void
debug_find_locations(struct cc *c, const struct cc_code *code, unsigned text,
                     uint32_t start);

/* Bytes of a variable in the registers and memory of one moment. */
struct debug_piece {
    enum {
        DEBUG_UNKNOWN,
        DEBUG_NUMBER,   /* value */
        DEBUG_REGISTER, /* cls, value */
        DEBUG_MEMORY,   /* at an address: value, + register `base` */
        DEBUG_COMPUTED  /* by steps, from what `of` are */
    } kind;
    enum ir_class cls;
    uint32_t value;
    int base;                  /* -1: none */
    uint32_t offset_B, size_B; /* of the variable */
    const struct debug_piece *of;
    const struct ir_debug_step *step; /* none: of[0] is the address */
    unsigned n_steps;
};

/* debuginfo/expression.c: as a location expression of a variable of this size; the
 * pieces are in order and do not overlap.  False: nothing is known. */
bool
debug_expression(struct buf *b, const struct debug_piece *piece, size_t n,
                 uint32_t size_B);

/* debuginfo/entries.c: adds entries for f, whose code is complete. */
void
debug_add_function(struct cc *c, const struct cc_code *code, unsigned text,
                   uint32_t start);

/* Adds an entry for a constant at this offset of a section. */
void
debug_add_constant(struct cc_module *m, const struct cc_debug_variable *v,
                   unsigned section, uint32_t offset);
