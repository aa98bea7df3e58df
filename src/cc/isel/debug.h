/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <llvm-c/DebugInfo.h>

#include "cc/debuginfo/debug.h"
#include "cc/isel/tr.h"

/* Functions of isel/debug.c and tr_debug_*.c, which translate metadata to debug
 * information. */

/* An operand of a node, NULL if it has none there. */
LLVMMetadataRef
tr_node(struct tr *t, LLVMMetadataRef node, unsigned i);

const char *
tr_node_string(struct tr *t, LLVMMetadataRef node, unsigned i);

/* The text of a node, as LLVM prints it: some fields can only be read there. */
const char *
tr_node_text(struct tr *t, LLVMMetadataRef node);

/* A call of llvm.dbg.*: value, variable, expression. */
bool
tr_is_debug_record(LLVMValueRef insn);

/* The number after `key` in a text, or `missing`. */
int64_t
tr_text_number(const char *text, const char *key, int64_t missing);

/* A type as an entry of the unit; NULL is void. */
struct dwarf_die *
tr_debug_type(struct tr *t, LLVMMetadataRef type);

/* Bytes of a type, 0 if it is not known. */
uint32_t
tr_debug_size(struct tr *t, LLVMMetadataRef type);

/* A pointer of 8 bytes, of which 4 are used (docs/abi.md, Pointers and types),
 * begins there in a variable of this type. */
bool
tr_debug_is_short_pointer(struct tr *t, LLVMMetadataRef type,
                          uint32_t offset_B);

/* The computation of a variable from values. */
struct tr_debug_expression {
    uint32_t offset_B, size_B; /* of the variable; size 0: all of it */
    bool is_address;           /* the value is where it is, */
    uint32_t behind_B;         /* so many bytes before it */
    bool bad;                  /* something that we do not do */
    vec(struct ir_debug_step) steps;
};

struct tr_debug_expression
tr_debug_expression(struct tr *t, LLVMMetadataRef node, const unsigned *width,
                    unsigned n_values);

enum { TR_DEBUG_VALUES = 16 }; /* most that a record names */

/* Once for a module: reads what records name that name several values. */
void
tr_debug_read_lists(struct tr *t, LLVMModuleRef module);

/* The values of a record of several; false if they are not known. */
bool
tr_debug_list(struct tr *t, LLVMValueRef insn, LLVMValueRef *to, unsigned *n);

/* The number of a scope of the function or of an inlined copy of it. */
uint32_t
tr_debug_scope(struct tr *t, LLVMMetadataRef scope, LLVMMetadataRef inlined_at);

LLVMMetadataRef
tr_debug_type_of(struct tr *t, LLVMMetadataRef variable);

/* The number of a variable there. */
uint32_t
tr_debug_variable(struct tr *t, LLVMMetadataRef variable,
                  LLVMMetadataRef inlined_at);

/* The line of an instruction is that of what is emitted from now on. */
void
tr_set_line(struct tr *t, LLVMValueRef in);

/* The number of a scope's file among the module's. */
uint32_t
tr_file(struct tr *t, LLVMMetadataRef scope);

/* Once for a module, once for a function of it. */
void
tr_debug_begin(struct tr *t, LLVMModuleRef module);

void
tr_debug_function(struct tr *t, LLVMValueRef function);

/* Adds the debug information of the global variables that the function uses. */
void
tr_debug_globals(struct tr *t);

/* Takes a debug record; false if the instruction is none. */
bool
tr_debug_record(struct tr *t, LLVMValueRef in);
