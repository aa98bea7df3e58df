/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a run of the assembler, which all files of the module share.
 *
 * The assembler makes one pass: it reads, encodes and appends each statement to
 * its section.  Instructions never change their size later, so the address of a
 * label is known at its definition.  References forward become fixups, which
 * fixup.c resolves at the end of the text: into bytes or into relocations.
 */
#pragma once

#include <ventus/asm.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/oom.h"
#include "base/vec.h"
#include "obj/functions.h"
#include "obj/kernels.h"

enum {
    MAX_DEPTH = 200, /* of macros, includes, expressions */
/* Bytes of all sections, and of all expansions. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    MAX_OUTPUT = 256 << 10
#else
    MAX_OUTPUT = 256 << 20
#endif
};

/* The source of a text: a file, or one expansion of a macro or a loop. */
struct origin {
    const char *file;
    const char *what; /* "macro 'add3'" or ".rept"; NULL: a file */
    const struct origin *parent;
    unsigned parent_line, parent_col;
    const char *parent_text;
};

struct position {
    const struct origin *origin;
    const char *line_text; /* start of the line */
    const char *at;        /* the byte that is meant, or NULL */
    unsigned line;
};

/* A text that is being read; the innermost one is assembler.frame. */
struct frame {
    struct origin *origin;
    struct frame *up;
    const char *at, *end; /* where to continue; only while not innermost */
    const char *line_text;
    unsigned line, depth;
    unsigned conditions; /* open .if when it began */
    const char *loop;    /* body of .rept: read `loops` more times */
    unsigned loop_line;
    uint64_t loops;
};

/*
 * The value add - sub + num; or, if `tree` is set, an expression that refers forward and
 * has no such form yet.
 */
struct value {
    int64_t num;
    struct symbol *add, *sub;
    struct tree *tree;
};

struct tree {
    char op; /* enum operator of expr.c */
    struct value left, right;
};

enum symbol_state {
    SYMBOL_UNDEFINED,
    SYMBOL_LABEL, /* section and offset */
    SYMBOL_SET    /* .set: the value */
};

struct symbol {
    const char *name; /* NULL: made by the assembler */
    struct section *section;
    uint64_t offset;
    struct value *set;
    struct value *size;
    struct position defined;
    uint32_t index; /* in the object's table; 0: not in it */
    uint32_t name_length;
    uint8_t state;      /* enum symbol_state */
    uint8_t type;       /* enum elf_symbol_type */
    uint8_t visibility; /* enum elf_visibility */
    bool global, weak;
    bool fixed;                  /* .equiv, or a label: no second value */
    bool is_kernel, is_function; /* a .ventus_ directive describes it */
};

/* The way in which the bytes of a fixup depend on its value. */
enum fix {
    FIX_DATA, /* `width` bytes */
    FIX_IMM,  /* field `field` of the word: a plain number */
    FIX_BRANCH,
    FIX_JAL,
    FIX_CALL, /* auipc and the jalr after it */
    FIX_HI,
    FIX_LO, /* I or S, as the field says */
    FIX_PCREL_HI,
    FIX_PCREL_LO
};

struct fixup {
    uint64_t offset;
    struct value value;
    struct position position;
    uint8_t kind;    /* enum fix */
    uint8_t width;   /* FIX_DATA */
    uint8_t field;   /* index into ventus_isa_fields */
    uint8_t operand; /* its number, from 1, for messages */
};

/* A row of the line table. */
struct line_row {
    uint64_t offset;
    uint32_t file, line, col;
    bool prologue_end;
};

struct source_file {
    const char *name, *dir, *source;
};

struct section {
    const char *name;
    struct buf bytes; /* empty for nobits */
    uint64_t size;    /* == bytes.n unless nobits */
    uint32_t type;    /* enum elf_section_type */
    uint32_t flags;   /* enum elf_section_flags */
    uint32_t align;   /* at least 1 */
    uint32_t entsize;
    uint32_t index; /* in the object's table, once that is made */
    bool nobits;
    struct symbol anchor; /* offset 0 */
    vec(struct fixup) fixups;
    vec(struct line_row) lines;
    struct section *next;
};

/* A statement in the listing. */
struct list_row {
    const char *text;
    const struct section *section;
    uint64_t start, end;
    unsigned line, depth;
    const char *note;
};

/* A prefix written by the programmer, waiting for its instruction. */
struct pending {
    struct section *section; /* NULL: none */
    uint64_t end;            /* offset after it */
    uint32_t word;
    uint16_t op;
    struct position position;
};

struct condition {
    struct position position;
    bool active, taken, outer, had_else;
};

struct local_label {
    struct symbol *last, *next;
};

/* The sections that .popsection returns to. */
struct pushed {
    struct section *section, *previous;
};

struct assembler {
    const struct ventus_asm_options *options;
    enum ventus_isa_version version;
    struct arena *arena; /* all that outlives a statement; the result owns it */
    struct diag_sink *sink;

    /* Reading. */
    const char *p;     /* next byte; texts end with '\n' and 0 */
    const char *start; /* of the statement */
    struct frame *frame;
    struct frame *spare_frames;
    uint64_t expanded; /* bytes of all expansions */
    uint64_t total;    /* bytes of all sections */
    unsigned expr_depth, resolve_steps;
    bool stop;       /* a limit was passed: nothing more is read */
    bool in_operand; /* register names are no symbols; pc is the address */
    const char *expr_error;
    const char *expr_error_at;

    /* Names. */
    struct map symbols, mnemonics, macros, section_names;
    struct map local_labels; /* numbers above 9 */
    struct local_label small_labels[10];
    struct symbol pc;     /* stands for the address of the word being made */
    unsigned macro_count; /* \@ */

    /* Sections. */
    struct section *sections, **last_section;
    struct section *section, *previous;
    vec(struct pushed) stack;

    vec(struct condition) conditions;
    struct pending pending;

    /* Lines. */
    vec(struct source_file) files; /* by number; name NULL: none */
    bool has_loc, loc_waits;
    struct line_row loc;

    vec(struct kernel_info) kernels;
    vec(struct kernel_arg) kernel_args; /* of all, in order */
    vec(struct function_info) functions;

    vec(struct list_row) list;
    const char *list_note;

    struct expansion *expansion; /* only expands (expand.h), if not NULL */
};

/* ---- positions and messages: position.c ---- */
struct position
position_here(const struct assembler *a, const char *at);

void
asm_error(struct assembler *a, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void
asm_warning(struct assembler *a, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reports a message about another position; a note belongs to the message before it. */
void
asm_report(struct assembler *a, enum diag_severity severity,
           const struct position *position, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
