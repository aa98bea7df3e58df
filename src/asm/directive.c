/* SPDX-License-Identifier: Apache-2.0 */
/* The table of directives, sections, and properties of symbols. */
#include "asm/directive.h"

#include "asm/condition.h"
#include "asm/data.h"
#include "asm/expr.h"
#include "asm/kernel.h"
#include "asm/lines.h"
#include "asm/macro.h"
#include "asm/mnemonic.h"
#include "asm/pseudo.h"
#include "asm/symbol.h"
#include "obj/elf.h"

/* ---- sections ---- */

static bool
enter_named(struct assembler *a, const char *name)
{
    section_enter(a, section_find(a, (struct span){ name, strlen(name) }));
    return true;
}

bool
directive_named_section(struct assembler *a, int argument)
{
    static const char *const names[] = { ".text", ".data", ".rodata", ".bss" };
    return enter_named(a, names[argument]);
}

/* "awx": the flags of a section, as GNU as names them. */
static bool
section_flags(struct assembler *a, struct section *s, bool is_new)
{
    size_t n;
    uint32_t flags = 0;
    lex_blanks(a);
    const char *at = a->p;
    char *text = lex_string_copy(a, &n);
    if (!text)
        return false;
    for (size_t i = 0; i < n; i++) {
        static const char letters[] = "awxMSGoR?";
        static const uint32_t bits[] = { ELF_SHF_ALLOC,
                                         ELF_SHF_WRITE,
                                         ELF_SHF_EXEC,
                                         ELF_SHF_MERGE,
                                         ELF_SHF_STRINGS,
                                         0,
                                         0,
                                         0,
                                         0 };
        const char *hit = strchr(letters, text[i]);
        if (!hit || !text[i]) {
            asm_error(a, at, "unknown section flag; there are a w x M S");
            return false;
        }
        flags |= bits[hit - letters];
    }
    if (is_new) {
        s->flags = flags;
        if (flags & ELF_SHF_EXEC && s->align < 4)
            s->align = 4;
    } else if (flags != s->flags) {
        asm_error(a, at, "section '%s' had other flags before", s->name);
        return false;
    }
    return true;
}

/* @progbits, %nobits, "note" */
static bool
section_type(struct assembler *a, struct section *s, bool is_new)
{
    uint32_t type;
    lex_blanks(a);
    if (*a->p == '@' || *a->p == '%')
        a->p++;
    struct span name = lex_symbol_name(a, "a section type");
    if (!name.n)
        return false;
    if (span_is(name, "progbits") || span_is(name, "llvm_addrsig")) {
        type = ELF_SHT_PROGBITS;
    } else if (span_is(name, "nobits")) {
        type = ELF_SHT_NOBITS;
    } else if (span_is(name, "note")) {
        type = ELF_SHT_NOTE;
    } else {
        asm_error(a, a->start,
                  "unknown section type; there are @progbits "
                  "@nobits @note");
        return false;
    }
    if (!is_new && type != s->type) {
        asm_error(a, a->start, "section '%s' had another type before", s->name);
        return false;
    }
    s->type = type;
    s->nobits = type == ELF_SHT_NOBITS;
    return true;
}

/* Names may hold what symbols may not: .note.GNU-stack */
static struct span
section_name(struct assembler *a)
{
    lex_blanks(a);
    if (*a->p == '"')
        return lex_symbol_name(a, "the name of a section");
    struct span s = { a->p, 0 };
    while (!lex_at_end(a) && *a->p != ',' && !lex_is(*a->p, CLASS_BLANK))
        a->p++;
    s.n = (size_t)(a->p - s.at);
    if (!s.n)
        asm_error(a, a->p, "expected the name of a section");
    return s;
}

/* .section name[, "flags"[, @type[, entry size]]] and .pushsection */
bool
directive_section(struct assembler *a, int is_push)
{
    struct span name = section_name(a);
    int64_t entsize = 0;
    if (!name.n)
        return false;
    bool is_new = !map_find(&a->section_names, name.at, name.n);
    struct section *s = section_find(a, name);
    if (lex_take(a, ',')) {
        if (!section_flags(a, s, is_new))
            return false;
        if (lex_take(a, ',') && !section_type(a, s, is_new))
            return false;
        if (lex_take(a, ',') && !expr_number(a, &entsize))
            return false;
        if (is_new && entsize > 0 && entsize <= 0xffff)
            s->entsize = (uint32_t)entsize;
    }
    if (is_push) {
        vec_push(a->arena, &a->stack,
                 ((struct pushed){ a->section, a->previous }));
    }
    section_enter(a, s);
    return true;
}

bool
directive_popsection(struct assembler *a, int argument)
{
    (void)argument;
    if (!a->stack.n) {
        asm_error(a, a->start, ".popsection without .pushsection");
        return false;
    }
    section_interrupts_prefix(a, "a change of section");
    struct pushed pushed = a->stack.at[--a->stack.n];
    a->section = pushed.section;
    a->previous = pushed.previous;
    return true;
}

bool
directive_previous(struct assembler *a, int argument)
{
    (void)argument;
    if (!a->previous) {
        asm_error(a, a->start, "there is no section before");
        return false;
    }
    section_enter(a, a->previous);
    return true;
}

/* ---- symbols ---- */

enum binding {
    BIND_GLOBAL,
    BIND_LOCAL,
    BIND_WEAK,
    BIND_HIDDEN,
    BIND_PROTECTED
};

static bool
directive_binding(struct assembler *a, int binding)
{
    do {
        struct span name = lex_symbol_name(a, "a symbol");
        if (!name.n)
            return false;
        struct symbol *s = symbol_get(a, name);
        switch ((enum binding)binding) {
        case BIND_GLOBAL:
            s->global = true;
            break;
        case BIND_LOCAL:
            s->global = s->weak = false;
            break;
        case BIND_WEAK:
            s->weak = true;
            break;
        case BIND_HIDDEN:
        case BIND_PROTECTED:
            s->visibility = ELF_STV_HIDDEN;
            break;
        }
    } while (lex_take(a, ','));
    return true;
}

/* .type name, @function */
static bool
directive_type(struct assembler *a, int argument)
{
    (void)argument;
    struct span name = lex_symbol_name(a, "a symbol");
    if (!name.n)
        return false;
    lex_take(a, ',');
    if (*a->p == '@' || *a->p == '%' || *a->p == '#')
        a->p++;
    const char *at = a->p;
    struct span type = lex_symbol_name(a, "a symbol type");
    struct symbol *s = symbol_get(a, name);
    if (span_is(type, "function") || span_is(type, "STT_FUNC")) {
        s->type = ELF_STT_FUNC;
    } else if (span_is(type, "object") || span_is(type, "STT_OBJECT")) {
        s->type = ELF_STT_OBJECT;
    } else if (span_is(type, "notype") || span_is(type, "STT_NOTYPE")) {
        s->type = ELF_STT_NOTYPE;
    } else if (type.n) {
        asm_error(a, at, "expected @function, @object or @notype, found %s",
                  lex_found(a, at));
        return false;
    }
    return type.n != 0;
}

static bool
directive_size(struct assembler *a, int argument)
{
    struct value v;
    (void)argument;
    struct span name = lex_symbol_name(a, "a symbol");
    if (!name.n || !lex_expect(a, ',') || !expr_read(a, &v))
        return false;
    struct symbol *s = symbol_get(a, name);
    s->size = arena_new(a->arena, struct value, 1);
    *s->size = v;
    return true;
}

static bool
directive_set(struct assembler *a, int fixed)
{
    struct value v;
    struct span name = lex_symbol_name(a, "a symbol");
    if (!name.n || !lex_expect(a, ',') || !expr_read(a, &v))
        return false;
    if (name.n == 1 && *name.at == '.')
        return directive_org(a, v, name.at);
    symbol_set(a, name, expr_resolve(a, v), fixed);
    return true;
}

/* .comm and .lcomm name, size[, align]: space in .bss. */
static bool
directive_comm(struct assembler *a, int is_local)
{
    int64_t size, align = 4;
    struct span name = lex_symbol_name(a, "a symbol");
    if (!name.n || !lex_expect(a, ',') || !expr_number(a, &size) ||
        (lex_take(a, ',') && !expr_number(a, &align)))
        return false;
    if (size < 0 || size > MAX_OUTPUT || align < 1 || align > 4096 ||
        (align & (align - 1))) {
        asm_error(a, a->start, "a size of %lld aligned to %lld",
                  (long long)size, (long long)align);
        return false;
    }
    struct section *here = a->section, *before = a->previous;
    enter_named(a, ".bss");
    section_align(a, (uint64_t)align, 0, UINT64_MAX);
    symbol_define_label(a, name);
    section_fill(a, (uint64_t)size, 0);
    struct symbol *s = symbol_get(a, name);
    s->type = ELF_STT_OBJECT;
    s->size = arena_new(a->arena, struct value, 1);
    s->size->num = size;
    s->global = s->global || !is_local;
    a->section = here;
    a->previous = before;
    return true;
}

/* ---- the current offset ---- */

bool
directive_org(struct assembler *a, struct value v, const char *at)
{
    struct value here = symbol_here(a);
    v = expr_resolve(a, v);
    if (v.add && v.add->state == SYMBOL_LABEL && v.add->section == a->section &&
        !v.sub && !v.tree) {
        v.num += (int64_t)v.add->offset;
        v.add = NULL;
    }
    const char *why = expr_not_number(a, &v);
    if (why) {
        asm_error(a, at,
                  "expected an offset in this section that is known "
                  "here");
        return false;
    }
    if (v.num < here.num) {
        asm_error(a, at, "offset %lld is passed: this is already offset %lld",
                  (long long)v.num, (long long)here.num);
        return false;
    }
    section_interrupts_prefix(a, ".org");
    section_fill(a, (uint64_t)(v.num - here.num), 0);
    return true;
}

bool
directive_assign(struct assembler *a, struct span name)
{
    struct value v;
    a->p++;
    if (*a->p == '=')
        a->p++;
    if (!expr_read(a, &v)) {
        lex_skip_statement(a);
        return false;
    }
    if (name.n == 1 && *name.at == '.')
        return directive_org(a, v, name.at);
    symbol_set(a, name, expr_resolve(a, v), false);
    return true;
}

static bool
directive_org_statement(struct assembler *a, int argument)
{
    struct value v;
    (void)argument;
    lex_blanks(a);
    const char *at = a->p;
    int64_t fill;
    if (!expr_read(a, &v) || (lex_take(a, ',') && !expr_number(a, &fill)))
        return false;
    return directive_org(a, v, at);
}

/* ---- what means nothing here ---- */

static bool
directive_ignore(struct assembler *a, int argument)
{
    (void)argument;
    lex_skip_statement(a);
    return true;
}

/* .option push, pop, norvc, norelax; there is no compressed form here. */
static bool
directive_option(struct assembler *a, int argument)
{
    static const char *const fine[] = { "push",  "pop", "norvc", "norelax",
                                        "relax", "pic", "nopic" };
    (void)argument;
    const char *at = a->p;
    struct span s = lex_name(a);
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++)
        if (span_is(s, fine[i]))
            return true;
    if (span_is(s, "rvc"))
        asm_error(a, at, "there are no compressed instructions");
    else if (span_is(s, "arch"))
        return directive_ignore(a, 0);
    else
        asm_error(a, at, "unknown option %s", lex_found(a, at));
    return false;
}

/* .error "text", .warning "text"; .err */
static bool
directive_message(struct assembler *a, int is_warning)
{
    char *text = NULL;
    lex_blanks(a);
    if (*a->p == '"')
        text = lex_string_copy(a, NULL);
    if (is_warning)
        asm_warning(a, a->start, "%s", text ? text : ".warning");
    else
        asm_error(a, a->start, "%s", text ? text : ".error");
    return true;
}

/* .end: no text after it is read. */
static bool
directive_end(struct assembler *a, int argument)
{
    (void)argument;
    if (!a->frame->up)
        a->p = a->frame->end - 1;
    return true;
}

static const struct {
    const char *name;
    directive_fn run;
    int argument;
} table[] = {
    { ".text", directive_named_section, 0 },
    { ".data", directive_named_section, 1 },
    { ".rodata", directive_named_section, 2 },
    { ".bss", directive_named_section, 3 },
    { ".section", directive_section, 0 },
    { ".pushsection", directive_section, 1 },
    { ".popsection", directive_popsection, 0 },
    { ".previous", directive_previous, 0 },
    { ".byte", directive_data, 1 },
    { ".2byte", directive_data, 2 },
    { ".half", directive_data, 2 },
    { ".short", directive_data, 2 },
    { ".hword", directive_data, 2 },
    { ".4byte", directive_data, 4 },
    { ".word", directive_data, 4 },
    { ".long", directive_data, 4 },
    { ".int", directive_data, 4 },
    { ".8byte", directive_data, 8 },
    { ".dword", directive_data, 8 },
    { ".quad", directive_data, 8 },
    { ".float", directive_float, 4 },
    { ".single", directive_float, 4 },
    { ".double", directive_float, 8 },
    { ".ascii", directive_string, 0 },
    { ".asciz", directive_string, 1 },
    { ".string", directive_string, 1 },
    { ".space", directive_space, 0 },
    { ".skip", directive_space, 0 },
    { ".zero", directive_space, 0 },
    { ".fill", directive_fill_bytes, 0 },
    { ".align", directive_align, 1 },
    { ".p2align", directive_align, 1 },
    { ".balign", directive_align, 0 },
    { ".uleb128", directive_leb128, 0 },
    { ".sleb128", directive_leb128, 1 },
    { ".incbin", directive_incbin, 0 },
    { ".globl", directive_binding, BIND_GLOBAL },
    { ".global", directive_binding, BIND_GLOBAL },
    { ".extern", directive_ignore, 0 },
    { ".local", directive_binding, BIND_LOCAL },
    { ".weak", directive_binding, BIND_WEAK },
    { ".hidden", directive_binding, BIND_HIDDEN },
    { ".internal", directive_binding, BIND_HIDDEN },
    { ".protected", directive_binding, BIND_PROTECTED },
    { ".type", directive_type, 0 },
    { ".size", directive_size, 0 },
    { ".set", directive_set, 0 },
    { ".equ", directive_set, 0 },
    { ".equiv", directive_set, 1 },
    { ".comm", directive_comm, 0 },
    { ".lcomm", directive_comm, 1 },
    { ".org", directive_org_statement, 0 },
    { ".if", directive_if, COND_IF },
    { ".ifeq", directive_if, COND_EQ },
    { ".ifne", directive_if, COND_NE },
    { ".iflt", directive_if, COND_LT },
    { ".ifle", directive_if, COND_LE },
    { ".ifgt", directive_if, COND_GT },
    { ".ifge", directive_if, COND_GE },
    { ".ifdef", directive_if, COND_DEF },
    { ".ifndef", directive_if, COND_NDEF },
    { ".ifnotdef", directive_if, COND_NDEF },
    { ".ifb", directive_if, COND_BLANK },
    { ".ifnb", directive_if, COND_NBLANK },
    { ".ifc", directive_if, COND_SAME },
    { ".ifnc", directive_if, COND_NSAME },
    { ".elseif", directive_elseif, 0 },
    { ".else", directive_else, 0 },
    { ".endif", directive_endif, 0 },
    { ".macro", directive_macro, 0 },
    { ".endm", directive_endm, 0 },
    { ".endmacro", directive_endm, 0 },
    { ".purgem", directive_purgem, 0 },
    { ".exitm", directive_exitm, 0 },
    { ".rept", directive_rept, 0 },
    { ".rep", directive_rept, 0 },
    { ".irp", directive_irp, 0 },
    { ".irpc", directive_irp, 1 },
    { ".endr", directive_endm, 1 },
    { ".include", directive_include, 0 },
    { ".insn", pseudo_insn_directive, 0 },
    { ".file", line_file_directive, 0 },
    { ".loc", line_loc_directive, 0 },
    { ".ventus_kernel", kernel_directive, 0 },
    { ".ventus_arg", argument_directive, 0 },
    { ".ventus_function", function_directive, 0 },
    { ".option", directive_option, 0 },
    { ".error", directive_message, 0 },
    { ".err", directive_message, 0 },
    { ".warning", directive_message, 1 },
    { ".end", directive_end, 0 },
};

/* Known, and without meaning for this machine or this assembler. */
static const char *const ignored[] = {
    ".attribute",
    ".ident",
    ".addrsig",
    ".addrsig_sym",
    ".cfi_startproc",
    ".cfi_endproc",
    ".cfi_sections",
    ".cfi_def_cfa",
    ".cfi_def_cfa_offset",
    ".cfi_def_cfa_register",
    ".cfi_adjust_cfa_offset",
    ".cfi_offset",
    ".cfi_rel_offset",
    ".cfi_register",
    ".cfi_restore",
    ".cfi_undefined",
    ".cfi_same_value",
    ".cfi_remember_state",
    ".cfi_restore_state",
    ".cfi_escape",
    ".cfi_return_column",
    ".cfi_signal_frame",
    ".cfi_personality",
    ".cfi_lsda",
    ".symver",
    ".version",
    ".variant_cc",
    ".title",
};

void
directive_fill(struct assembler *a)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        mnemonic_directive(a, table[i].name, table[i].run, table[i].argument);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        mnemonic_directive(a, ignored[i], directive_ignore, 0);
}
