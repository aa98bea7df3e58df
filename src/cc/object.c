/* SPDX-License-Identifier: Apache-2.0 */
/* The object file: code, constants, symbols, kernels, lines. */
#include <assert.h>
#include <string.h>

#include <ventus/isa_build.h>

#include "cc/code.h"
#include "cc/debuginfo/debug.h"
#include "cc/object.h"
#include "obj/dwarf.h"
#include "obj/functions.h"
#include "obj/note.h"

struct object {
    struct cc_module *m;
    struct elf_out elf;
    unsigned text, rodata;
    struct map symbols; /* name to number */
    vec(struct dwarf_out_row) rows;
};

struct external_calls {
    struct function_call *at;
    size_t n, cap;
};

static unsigned
find_symbol(struct object *o, const char *name)
{
    void **at = map_find(&o->symbols, name, strlen(name));
    return at ? (unsigned)(uintptr_t)*at : 0;
}

static void
define_symbol(struct object *o, const char *name, unsigned section,
              uint32_t value, uint32_t size, enum elf_binding binding,
              enum elf_symbol_type type)
{
    struct elf_out_symbol s = { .name = name,
                                .section = section,
                                .value = value,
                                .size = size,
                                .binding = binding,
                                .type = type };
    void **at = map_put(o->m->arena, &o->symbols, name, strlen(name));
    assert(!*at && "defined twice");
    *at = (void *)(uintptr_t)elf_out_symbol(&o->elf, &s);
}

/* The section that the data goes to; made when it is first needed. */
static unsigned
section_of(struct object *o, const struct cc_data *d)
{
    if (!d->section)
        return o->rodata;
    unsigned n = elf_out_find(&o->elf, d->section);
    if (n)
        return n;
    bool writable = !d->bytes || strcmp(d->section, ".data") == 0;
    return elf_out_section(
        &o->elf, d->section, d->bytes ? ELF_SHT_PROGBITS : ELF_SHT_NOBITS,
        writable ? ELF_SHF_ALLOC | ELF_SHF_WRITE : 0, writable ? 16 : 4);
}

/* Puts data in a section; returns the offset. */
static uint32_t
put_bytes(struct object *o, unsigned section, const struct cc_data *d)
{
    struct elf_out_section *s = &o->elf.sections.at[section - 1];
    uint32_t align = d->align ? d->align : 1, at;
    if (s->align < align)
        s->align = align;
    if (d->bytes) {
        buf_align(&s->contents, align, 0);
        at = (uint32_t)s->contents.n;
        buf_put(&s->contents, d->bytes, d->size);
        return at;
    }
    at = (s->nobits_size + align - 1) / align * align;
    s->nobits_size = at + d->size;
    return at;
}

static void
put_data(struct object *o)
{
    for (size_t i = 0; i < o->m->data.n; i++) {
        const struct cc_data *d = &o->m->data.at[i];
        unsigned section = section_of(o, d);
        uint32_t at = put_bytes(o, section, d);
        define_symbol(o, d->name, section, at, d->size, ELF_STB_LOCAL,
                      ELF_STT_OBJECT);
    }
    for (size_t i = 0; i < o->m->data.n; i++) {
        const struct cc_data *d = &o->m->data.at[i];
        uint32_t at = o->elf.symbols.at[find_symbol(o, d->name) - 1].value;
        for (size_t k = 0; k < d->fixups.n; k++)
            elf_out_reloc(&o->elf, section_of(o, d),
                          (struct elf_out_reloc){
                              at + d->fixups.at[k].offset, ELF_R_RISCV_32,
                              find_symbol(o, d->fixups.at[k].symbol),
                              d->fixups.at[k].addend });
    }
}

/*
 * The start code of lib/start.S, weak, so that an object is a program once it
 * is linked: sp to the warp's stack, tp to 0, a0 to the arguments, call.  The
 * entry and a0 are one load where the target has loads of two words.
 */
static void
put_start(struct object *o)
{
    enum { RA = 1, SP = 2, TP = 4, T0 = 5, T1 = 6, S1 = 9, A0 = 10 };
    enum { CSR_KNL = 0x803, CSR_WID = 0x805, CSR_LDS = 0x806 };
    struct ventus_isa_insn code[] = {
        ventus_isa_csrrs(SP, CSR_LDS, 0), ventus_isa_csrrs(T0, CSR_WID, 0),
        ventus_isa_slli(T0, T0, 10),      ventus_isa_add(SP, SP, T0),
        ventus_isa_addi(TP, 0, 0),        ventus_isa_csrrs(T0, CSR_KNL, 0),
        ventus_isa_lw(T1, T0, 0),         ventus_isa_lw(A0, T0, 4),
        ventus_isa_jalr(RA, T1, 0),       ventus_isa_endprg(0, 0, 0),
    };
    enum { N = sizeof code / sizeof code[0], ENTRY = 6, ARGS, CALL };
    if (cc_target_or_v1(o->m->options->target)->access_words > 1) {
        code[ENTRY] = ventus_isa_lw(S1, T0, 0); /* two words, s1 and a0 */
        code[ENTRY].prefix = VENTUS_ISA_PRE_M_64;
        code[ENTRY].width = 2;
        code[ARGS] = ventus_isa_jalr(RA, S1, 0);
        code[CALL] = code[N - 1];
    }
    unsigned section = elf_out_section(&o->elf, ".text.start", ELF_SHT_PROGBITS,
                                       ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    struct buf *b = elf_out_contents(&o->elf, section);
    for (unsigned i = 0; i < N && b->n < 4 * N; i++) {
        uint32_t words[2];
        unsigned n = ventus_isa_encode(&code[i], words);
        assert(n == (code[i].prefix ? 2 : 1));
        for (unsigned k = 0; k < n; k++)
            buf_u32(b, words[k]);
    }
    assert(b->n == 4 * N);
    define_symbol(o, "_start", section, 0, 4 * N, ELF_STB_WEAK, ELF_STT_FUNC);
}

static uint32_t
multiple_of_4(uint32_t x)
{
    return (x + 3) / 4 * 4;
}

/* The number of warps of the default machine, on one SM, that the registers allow. */
static unsigned
occupancy(const struct kernel_info *k)
{
    enum { SM_SGPRS = 2048, SM_VGPRS = 8192, SM_WARPS = 32 };
    unsigned s = SM_SGPRS / (k->sgprs ? k->sgprs : 4);
    unsigned v = SM_VGPRS / (k->vgprs ? k->vgprs : 4);
    unsigned n = s < v ? s : v;
    return n < SM_WARPS ? n : SM_WARPS;
}

static bool
put_kernel(struct object *o, struct cc_kernel *k)
{
    struct cc c = { k->func, o->m->options, o->m->sink, &k->stats, o->m };
    struct cc_code code = { 0 };
    bool ok = cc_emit(&c, &code);
    uint32_t at = (uint32_t)elf_out_contents(&o->elf, o->text)->n;
    assert(at % 4 == 0 && code.words.n % 4 == 0);
    buf_put(elf_out_contents(&o->elf, o->text), code.words.at, code.words.n);
    define_symbol(o, k->func->name, o->text, at, (uint32_t)code.words.n,
                  k->func->is_function && !k->func->is_exported
                      ? ELF_STB_LOCAL
                      : ELF_STB_GLOBAL,
                  ELF_STT_FUNC);
    for (size_t i = 0; i < code.relocs.n; i++) {
        assert(code.relocs.at[i].offset + 4 <= code.words.n);
        const struct cc_reloc *r = &code.relocs.at[i];
        elf_out_reloc(&o->elf, o->text,
                      (struct elf_out_reloc){ at + r->offset, r->type,
                                              find_symbol(o, r->symbol),
                                              r->addend });
    }
    for (size_t i = 0; i < code.rows.n; i++)
        vec_push(o->m->arena, &o->rows,
                 ((struct dwarf_out_row){
                     at + code.rows.at[i].offset, code.rows.at[i].file,
                     code.rows.at[i].line, code.rows.at[i].column,
                     code.rows.at[i].prologue_end }));
    if (o->m->debug && ok)
        debug_add_function(&c, &code, o->text, at);
    buf_free(&code.words);
    k->info.sgprs = multiple_of_4(k->func->sgprs);
    k->info.vgprs = multiple_of_4(k->func->vgprs);
    k->info.private_B = multiple_of_4(k->func->private_B);
    k->info.spills = k->stats.spills_s + k->stats.spills_v;
    k->stats.name = k->func->name;
    k->stats.is_function = k->func->is_function;
    k->stats.sgprs = k->info.sgprs;
    k->stats.vgprs = k->info.vgprs;
    k->stats.local_B = k->info.local_B;
    k->stats.private_B = k->info.private_B;
    assert(k->info.sgprs <= 64 && k->info.vgprs <= 256);
    k->stats.warps = occupancy(&k->info);
    if (o->m->stats)
        vec_push(o->m->arena, &o->m->stats->kernels, k->stats);
    return ok;
}

static void
put_constants(struct object *o)
{
    for (size_t i = 0; i < o->m->debug->variables.n; i++) {
        const struct cc_debug_variable *v = &o->m->debug->variables.at[i];
        unsigned n = v->symbol ? find_symbol(o, v->symbol) : 0;
        if (n)
            debug_add_constant(o->m, v, o->elf.symbols.at[n - 1].section,
                               o->elf.symbols.at[n - 1].value);
    }
}

static bool
put_lines(struct object *o)
{
    struct cc_module *m = o->m;
    if (!m->options->debug_lines || !o->rows.n || !m->files.n)
        return true;
    struct dwarf_out_file *files =
        arena_new(m->arena, struct dwarf_out_file, m->files.n);
    for (size_t i = 0; i < m->files.n; i++)
        files[i] =
            (struct dwarf_out_file){ m->files.at[i].name, m->files.at[i].dir,
                                     m->files.at[i].source };
    struct dwarf_out_sequence sequence = {
        .section = o->text,
        .size = (uint32_t)elf_out_contents(&o->elf, o->text)->n,
        .rows = o->rows.at,
        .n_rows = o->rows.n,
    };
    struct dwarf_unit unit = {
        .files = files,
        .n_files = m->files.n,
        .sequences = &sequence,
        .n_sequences = 1,
    };
    if (m->debug) {
        put_constants(o);
        /* GDB gives a target no conditions with operators in OpenCL. */
        unit.language = DW_LANG_C99;
        unit.entries = m->debug->entries.at;
        unit.n_entries = m->debug->entries.n;
        dwarf_frame_write(&o->elf, m->debug->frames.at, m->debug->frames.n);
    }
    return dwarf_line_write(&unit, &o->elf, m->file, m->sink);
}

/* Writes the file, as an object or linked. */
static bool
write_file(const struct object *o, struct buf *out)
{
    const struct cc_module *m = o->m;
    if (!m->options->program)
        return elf_write(&o->elf, m->file, out, m->sink);
    struct elf_out program = { .arena = m->arena };
    bool ok = elf_link(&o->elf, m->file, &program, m->sink) &&
              elf_write(&program, m->file, out, m->sink);
    elf_out_free(&program);
    return ok;
}

/* ---- functions of other objects ---- */

/* Finds where the memory of functions of other objects begins: after that of all
 * functions here. */
static void
find_frame(struct cc_module *m)
{
    for (size_t i = 0; i < m->kernels.n; i++) {
        const struct ir_func *f = m->kernels.at[i].func;
        if (m->frame_B < multiple_of_4(f->private_B))
            m->frame_B = multiple_of_4(f->private_B);
        if (m->stack_B < f->scalar_stack_B)
            m->stack_B = f->scalar_stack_B;
    }
}

/* Finds the functions of other objects that f and its callees call, each once. */
static void
find_external_calls(struct object *o, const struct ir_func *f,
                    struct external_calls *calls)
{
    for (size_t i = 0; i < f->callees.n; i++) {
        const struct ir_func *to = f->callees.at[i];
        bool known = !to->is_external;
        for (size_t k = 0; k < calls->n && !known; k++)
            known = calls->at[k].callee == to->name;
        if (!known)
            vec_push(o->m->arena, calls,
                     ((struct function_call){ to->name, o->m->frame_B,
                                              o->m->stack_B }));
        find_external_calls(o, to, calls);
    }
}

/* Kernels that call functions of others, functions that others call. */
static void
put_functions(struct object *o)
{
    struct cc_module *m = o->m;
    struct function_info *all =
        arena_new(m->arena, struct function_info, m->kernels.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->kernels.n; i++) {
        const struct ir_func *f = m->kernels.at[i].func;
        struct external_calls calls = { 0 };
        if (!f->is_function || f->is_exported)
            find_external_calls(o, f, &calls);
        if (calls.n || f->is_exported)
            all[n++] = (struct function_info){ f->name,
                                               f->sgprs,
                                               f->vgprs,
                                               multiple_of_4(f->private_B),
                                               f->scalar_stack_B,
                                               calls.at,
                                               calls.n };
    }
    functions_write(&o->elf, all, n);
}

bool
cc_write_object(struct cc_module *m, struct buf *out)
{
    struct object o = { .m = m, .elf = { .arena = m->arena } };
    o.text = elf_out_section(&o.elf, ".text", ELF_SHT_PROGBITS,
                             ELF_SHF_ALLOC | ELF_SHF_EXEC, 4);
    o.rodata =
        elf_out_section(&o.elf, ".rodata", ELF_SHT_PROGBITS, ELF_SHF_ALLOC, 16);
    put_data(&o);
    put_start(&o);
    find_frame(m);
    for (size_t i = 0; i < m->externals.n; i++)
        define_symbol(&o, m->externals.at[i]->name, 0, 0, 0, ELF_STB_GLOBAL,
                      ELF_STT_NOTYPE);
    bool ok = true;
    struct kernel_info *info =
        arena_new(m->arena, struct kernel_info, m->kernels.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < m->kernels.n; i++) {
        ok &= put_kernel(&o, &m->kernels.at[i]);
        if (!m->kernels.at[i].func->is_function)
            info[n++] = m->kernels.at[i].info;
    }
    /* In the assembler's order, so that it makes the same file of --emit s. */
    note_write_isa(&o.elf, (unsigned)cc_target_or_v1(m->options->target)->isa);
    if (!m->options->program)
        note_write_attributes(&o.elf);
    put_functions(&o);
    ok = ok && kernels_write(&o.elf, m->file, info, n, m->sink) &&
         put_lines(&o) && write_file(&o, out);
    elf_out_free(&o.elf);
    return ok;
}
