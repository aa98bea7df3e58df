/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of kernel descriptors.  A section is a sequence of parts, one from each
 * object that was linked.  Descriptors may be longer than this reader knows: later
 * compilers add fields at the end, and change the version only if older readers would
 * misread them. */
#include <string.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "base/defer.h"
#include "obj/kernels_check.h"
#include "obj/report.h"

struct part {
    uint32_t size, n_kernels, n_args, strings_size;
    uint32_t taken; /* arguments used by the kernels so far */
    uint32_t header_size, kernel_size, arg_size;
    const uint8_t *kernels, *args;
    const char *strings;
};

struct reader {
    struct arena *arena;
    const struct elf *elf;
    struct diag_sink *sink;
    vec(struct kernel_info) kernels;
};

static bool
kernels_fail(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool
kernels_fail(struct reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(r->arena, format, args);
    va_end(args);
    diag_report(r->sink, DIAG_ERROR, (struct diag_at){ .file = r->elf->file },
                "section '%s': %s", kernels_section, message);
    return false;
}

static bool
read_part_header(struct reader *r, struct cursor *c, struct part *p)
{
    size_t left = cursor_left(c);
    uint32_t magic = cursor_u32(c);
    unsigned version = cursor_u16(c);
    p->header_size = cursor_u16(c);
    p->size = cursor_u32(c);
    p->n_kernels = cursor_u32(c);
    p->n_args = cursor_u32(c);
    p->strings_size = cursor_u32(c);
    p->kernel_size = cursor_u16(c);
    p->arg_size = cursor_u16(c);
    cursor_u32(c); /* reserved */
    if (c->failed)
        return kernels_fail(r, "the header is cut off");
    if (magic != KERNELS_MAGIC)
        return kernels_fail(r, "magic number 0x%x: expected 0x%x", magic,
                            (unsigned)KERNELS_MAGIC);
    if (version != KERNELS_VERSION)
        return kernels_fail(r, "version %u: expected %u", version,
                            (unsigned)KERNELS_VERSION);
    if (p->header_size < KERNELS_HEADER_SIZE ||
        p->kernel_size < KERNELS_KERNEL_LEAST || p->arg_size < KERNELS_ARG_SIZE)
        return kernels_fail(r, "records of %u, %u and %u bytes are too short",
                            p->header_size, p->kernel_size, p->arg_size);
    if (p->size > left || p->size % 4)
        return kernels_fail(r, "size %u: expected a multiple of 4, at most %zu",
                            p->size, left);
    return true;
}

/* Finds the tables after the header; `c` covers the part. */
static bool
find_tables(struct reader *r, struct cursor c, struct part *p)
{
    cursor_bytes(&c, p->header_size);
    p->kernels = cursor_bytes(&c, (uint64_t)p->n_kernels * p->kernel_size);
    p->args = cursor_bytes(&c, (uint64_t)p->n_args * p->arg_size);
    p->strings = (const char *)cursor_bytes(&c, p->strings_size);
    if (c.failed)
        return kernels_fail(
            r,
            "%u kernels, %u arguments and %u bytes of names do not "
            "fit into %u bytes",
            p->n_kernels, p->n_args, p->strings_size, p->size);
    if (!p->strings_size || p->strings[p->strings_size - 1] != 0)
        return kernels_fail(r, "the names do not end in a zero byte");
    return true;
}

/* A string of a part; NULL for an offset outside. */
static const char *
string_at(const struct part *p, uint32_t offset)
{
    return offset < p->strings_size ? p->strings + offset : NULL;
}

static bool
read_arg(struct reader *r, const struct part *p, uint32_t i,
         struct kernel_arg *arg)
{
    struct cursor c =
        cursor_over(p->args + (size_t)i * p->arg_size, p->arg_size);
    arg->name = string_at(p, cursor_u32(&c));
    arg->type_name = string_at(p, cursor_u32(&c));
    arg->kind = cursor_u8(&c);
    arg->access = cursor_u8(&c);
    arg->qualifiers = cursor_u16(&c);
    arg->size_B = cursor_u32(&c);
    arg->align_B = cursor_u32(&c);
    if (!arg->name || !arg->type_name)
        return kernels_fail(
            r, "argument %u: its name is past the end of the names", i);
    const char *wrong = kernels_check_arg(arg);
    return !wrong || kernels_fail(r, "argument %u: %s", i, wrong);
}

/* Reads a kernel; `args` are the arguments of the whole part. */
static bool
read_kernel(struct reader *r, struct part *p, uint32_t i,
            const struct kernel_arg *args)
{
    struct cursor c =
        cursor_over(p->kernels + (size_t)i * p->kernel_size, p->kernel_size);
    struct kernel_info k = { .name = string_at(p, cursor_u32(&c)) };
    k.isa = cursor_u32(&c);
    k.sgprs = cursor_u32(&c);
    k.vgprs = cursor_u32(&c);
    k.local_B = cursor_u32(&c);
    k.private_B = cursor_u32(&c);
    for (int j = 0; j < 3; j++)
        k.required_wg[j] = cursor_u32(&c);
    for (int j = 0; j < 3; j++)
        k.hint_wg[j] = cursor_u32(&c);
    uint32_t first = cursor_u32(&c), count = cursor_u32(&c);
    k.spills = cursor_u32(&c);
    k.hint_type = string_at(p, cursor_u32(&c));
    if (p->kernel_size >= KERNELS_KERNEL_FLAGS) {
        const uint32_t flags = cursor_u32(&c);
        k.uniform_groups = flags & KERNELS_UNIFORM_GROUPS;
        k.exact_atomics = flags & KERNELS_EXACT_ATOMICS;
    }
    if (p->kernel_size >= KERNELS_KERNEL_EXCHANGE) {
        k.exchange_at = cursor_u32(&c);
        k.exchange_B = cursor_u32(&c);
    }
    if (p->kernel_size >= KERNELS_KERNEL_SIZE)
        k.required_sub_group = cursor_u32(&c);
    if (!k.name || !k.hint_type)
        return kernels_fail(
            r, "kernel %u: its name is past the end of the names", i);
    /* Without the limit, a million kernels could share one name of megabytes. */
    if (strnlen(k.name, KERNELS_NAME_MAX + 1) > KERNELS_NAME_MAX)
        return kernels_fail(r,
                            "kernel %u: its name has more than %d characters",
                            i, KERNELS_NAME_MAX);
    const char *title = report_printable(r->arena, k.name);
    if (first > p->n_args || count > p->n_args - first)
        return kernels_fail(r, "kernel '%s': arguments %u + %u of %u", title,
                            first, count, p->n_args);
    const char *wrong = kernels_check(&k);
    if (wrong)
        return kernels_fail(r, "kernel '%s': %s", title, wrong);
    /* Without the check, a million kernels could share the same million arguments. */
    if (count && first < p->taken)
        return kernels_fail(r, "kernel '%s': argument %u is another kernel's",
                            title, first);
    p->taken = count ? first + count : p->taken;
    for (uint32_t j = first; j < first + count; j++) {
        wrong = kernels_check_address(&args[j], k.isa);
        if (wrong)
            return kernels_fail(r, "kernel '%s': argument %u: %s", title,
                                j - first, wrong);
    }
    k.args = args + first;
    k.n_args = count;
    vec_push(r->arena, &r->kernels, k);
    return true;
}

static bool
read_part(struct reader *r, struct cursor *section)
{
    struct part p = { 0 };
    struct cursor header = *section;
    if (!read_part_header(r, &header, &p) ||
        !find_tables(r, cursor_over(section->at, p.size), &p))
        return false;
    struct kernel_arg *args = arena_new(r->arena, struct kernel_arg, p.n_args);
    for (uint32_t i = 0; i < p.n_args; i++)
        if (!read_arg(r, &p, i, &args[i]))
            return false;
    for (uint32_t i = 0; i < p.n_kernels; i++)
        if (!read_kernel(r, &p, i, args))
            return false;
    cursor_bytes(section, p.size);
    return true;
}

bool
kernels_read(struct arena *a, const struct elf *elf, struct kernel_list *list,
             struct diag_sink *sink)
{
    *list = (struct kernel_list){ 0 };
    struct reader r = { .arena = a, .elf = elf, .sink = sink };
    const struct elf_section *s = elf_find_section(elf, kernels_section);
    if (!s)
        return true;
    struct cursor c = cursor_over(s->contents, s->contents ? s->size : 0);
    while (cursor_left(&c))
        if (!read_part(&r, &c))
            return false;
    *list = (struct kernel_list){ r.kernels.at, r.kernels.n };
    return true;
}

/* Offsets in a descriptor, docs/abi.md. */
enum { AT_SGPRS = 8, AT_VGPRS = 12, AT_PRIVATE = 20 };

static void
rewrite_record(const struct part *p, const struct elf *elf, uint8_t *image,
               const struct kernel_info *kernel)
{
    for (uint32_t i = 0; i < p->n_kernels; i++) {
        const uint8_t *record = p->kernels + (size_t)i * p->kernel_size;
        struct cursor c = cursor_over(record, p->kernel_size);
        const char *name = string_at(p, cursor_u32(&c));
        if (!name || strcmp(name, kernel->name) != 0)
            continue;
        uint8_t *at = image + (record - elf->image);
        bytes_store(at + AT_SGPRS, 4, kernel->sgprs);
        bytes_store(at + AT_VGPRS, 4, kernel->vgprs);
        bytes_store(at + AT_PRIVATE, 4, kernel->private_B);
    }
}

bool
kernels_rewrite(const struct elf *elf, uint8_t *image,
                const struct kernel_info *kernel, struct diag_sink *sink)
{
    struct arena arena = { 0 };
    struct oom_cleanup free_arena;
    struct reader r = { .arena = &arena, .elf = elf, .sink = sink };
    const struct elf_section *s = elf_find_section(elf, kernels_section);
    const char *wrong = kernels_check(kernel);
    bool ok =
        !wrong || kernels_fail(&r, "kernel '%s': %s", kernel->name, wrong);
    struct cursor c = cursor_over(s->contents, s->contents ? s->size : 0);
    oom_defer_arena(&free_arena, &arena);
    while (ok && cursor_left(&c)) {
        struct part p = { 0 };
        struct cursor header = c;
        ok = read_part_header(&r, &header, &p) &&
             find_tables(&r, cursor_over(c.at, p.size), &p);
        if (ok)
            rewrite_record(&p, elf, image, kernel);
        cursor_bytes(&c, p.size);
    }
    oom_release(&free_arena);
    return ok;
}
