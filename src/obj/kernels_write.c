/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "base/defer.h"
#include "base/map.h"
#include "obj/kernels_check.h"

/* Strings of the section, each stored once; offset 0 is the empty string. */
struct strings {
    struct arena *arena;
    struct map map;
    struct buf bytes;
};

static uint32_t
string_offset(struct strings *s, const char *text)
{
    if (!s->bytes.n)
        buf_u8(&s->bytes, 0);
    if (!text || !*text)
        return 0;
    void **value = map_put(s->arena, &s->map, text, strlen(text));
    if (!*value) {
        *value = (void *)(uintptr_t)s->bytes.n;
        buf_put(&s->bytes, text, strlen(text) + 1);
    }
    return (uint32_t)(uintptr_t)*value;
}

static bool
check_all(struct arena *a, const char *file, const struct kernel_info *kernels,
          size_t n, struct diag_sink *sink)
{
    unsigned before = sink->errors;
    struct map names = { 0 };
    struct diag_at at = { .file = file };
    for (size_t i = 0; i < n; i++) {
        const struct kernel_info *k = &kernels[i];
        const char *name = k->name ? k->name : "";
        const char *wrong = kernels_check(k);
        if (wrong)
            diag_report(sink, DIAG_ERROR, at, "kernel '%s': %s", name, wrong);
        for (size_t j = 0; j < k->n_args; j++) {
            wrong = kernels_check_arg(&k->args[j]);
            if (!wrong)
                wrong = kernels_check_address(&k->args[j], k->isa);
            if (wrong)
                diag_report(sink, DIAG_ERROR, at,
                            "kernel '%s': argument %zu: "
                            "%s",
                            name, j, wrong);
        }
        void **other = map_put(a, &names, name, strlen(name));
        if (*other && *name)
            diag_report(sink, DIAG_ERROR, at, "kernel '%s' is there twice",
                        name);
        *other = (void *)k;
    }
    return sink->errors == before;
}

static void
put_kernel(struct buf *b, struct strings *s, const struct kernel_info *k,
           uint32_t first_arg)
{
    size_t start = b->n;
    buf_u32(b, string_offset(s, k->name));
    buf_u32(b, k->isa);
    buf_u32(b, k->sgprs);
    buf_u32(b, k->vgprs);
    buf_u32(b, k->local_B);
    buf_u32(b, k->private_B);
    for (int i = 0; i < 3; i++)
        buf_u32(b, k->required_wg[i]);
    for (int i = 0; i < 3; i++)
        buf_u32(b, k->hint_wg[i]);
    buf_u32(b, first_arg);
    buf_u32(b, (uint32_t)k->n_args);
    buf_u32(b, k->spills);
    buf_u32(b, string_offset(s, k->hint_type));
    buf_u32(b, (k->uniform_groups ? KERNELS_UNIFORM_GROUPS : 0) |
                   (k->exact_atomics ? KERNELS_EXACT_ATOMICS : 0));
    buf_u32(b, k->exchange_at);
    buf_u32(b, k->exchange_B);
    buf_u32(b, k->required_sub_group);
    assert(b->n - start == KERNELS_KERNEL_SIZE);
}

static void
put_arg(struct buf *b, struct strings *s, const struct kernel_arg *arg)
{
    buf_u32(b, string_offset(s, arg->name));
    buf_u32(b, string_offset(s, arg->type_name));
    buf_u8(b, (uint8_t)arg->kind);
    buf_u8(b, (uint8_t)arg->access);
    buf_u16(b, (uint16_t)arg->qualifiers);
    buf_u32(b, arg->size_B);
    buf_u32(b, arg->align_B);
}

bool
kernels_write(struct elf_out *o, const char *file,
              const struct kernel_info *kernels, size_t n,
              struct diag_sink *sink)
{
    if (!check_all(o->arena, file, kernels, n, sink))
        return false;
    struct strings s = { .arena = o->arena };
    struct buf records = { 0 };
    struct oom_cleanup free_records, free_strings;
    size_t n_args = 0;
    oom_defer_buf(&free_records, &records);
    oom_defer_buf(&free_strings, &s.bytes);
    for (size_t i = 0; i < n; i++) {
        put_kernel(&records, &s, &kernels[i], (uint32_t)n_args);
        n_args += kernels[i].n_args;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < kernels[i].n_args; j++)
            put_arg(&records, &s, &kernels[i].args[j]);
    assert(records.n == n * KERNELS_KERNEL_SIZE + n_args * KERNELS_ARG_SIZE);
    buf_align(&s.bytes, 4, 0);
    if (!s.bytes.n)
        buf_u32(&s.bytes, 0);
    unsigned section =
        elf_out_section(o, kernels_section, ELF_SHT_PROGBITS, 0, 4);
    struct buf *b = elf_out_contents(o, section);
    buf_u32(b, KERNELS_MAGIC);
    buf_u16(b, KERNELS_VERSION);
    buf_u16(b, KERNELS_HEADER_SIZE);
    buf_u32(b, (uint32_t)(KERNELS_HEADER_SIZE + records.n + s.bytes.n));
    buf_u32(b, (uint32_t)n);
    buf_u32(b, (uint32_t)n_args);
    buf_u32(b, (uint32_t)s.bytes.n);
    buf_u16(b, KERNELS_KERNEL_SIZE);
    buf_u16(b, KERNELS_ARG_SIZE);
    buf_u32(b, 0);
    assert(b->n == KERNELS_HEADER_SIZE);
    buf_put(b, records.at, records.n);
    buf_put(b, s.bytes.at, s.bytes.n);
    assert(s.bytes.n % 4 == 0 && b->n % 4 == 0);
    oom_release(&free_strings);
    oom_release(&free_records);
    return true;
}
