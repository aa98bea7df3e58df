/* SPDX-License-Identifier: Apache-2.0 */
/* Writer and reader of .ventus.functions. */
#include "obj/functions.h"

#include <assert.h>
#include <string.h>

#include "base/cursor.h"
#include "base/defer.h"

static const char section_name[] = ".ventus.functions";
enum {
    MAGIC = 0x4e465456, /* "VTFN" */
    VERSION = 1,
    HEADER_SIZE = 24,
    FUNCTION_SIZE = 28,
    CALL_SIZE = 12
};

/* ---- writing ---- */

static uint32_t
add_string(struct buf *strings, const char *text)
{
    uint32_t at = (uint32_t)strings->n;
    buf_put(strings, text, strlen(text) + 1);
    return at;
}

void
functions_write(struct elf_out *o, const struct function_info *functions,
                size_t n)
{
    struct buf records = { 0 }, calls = { 0 }, strings = { 0 };
    struct oom_cleanup cleanup[3];
    uint32_t n_calls = 0;
    if (!n)
        return;
    oom_defer_buf(&cleanup[0], &records);
    oom_defer_buf(&cleanup[1], &calls);
    oom_defer_buf(&cleanup[2], &strings);
    for (size_t i = 0; i < n; i++) {
        const struct function_info *f = &functions[i];
        buf_u32(&records, add_string(&strings, f->name));
        buf_u32(&records, f->sgprs);
        buf_u32(&records, f->vgprs);
        buf_u32(&records, f->private_B);
        buf_u32(&records, f->stack_B);
        buf_u32(&records, n_calls);
        buf_u32(&records, (uint32_t)f->n_calls);
        for (size_t k = 0; k < f->n_calls; k++, n_calls++) {
            buf_u32(&calls, add_string(&strings, f->calls[k].callee));
            buf_u32(&calls, f->calls[k].private_B);
            buf_u32(&calls, f->calls[k].stack_B);
        }
    }
    assert(records.n == n * FUNCTION_SIZE);
    assert(calls.n == (size_t)n_calls * CALL_SIZE);
    buf_align(&strings, 4, 0);
    unsigned section = elf_out_section(o, section_name, ELF_SHT_PROGBITS, 0, 4);
    struct buf *b = elf_out_contents(o, section);
    buf_u32(b, MAGIC);
    buf_u16(b, VERSION);
    buf_u16(b, HEADER_SIZE);
    buf_u32(b, (uint32_t)(HEADER_SIZE + records.n + calls.n + strings.n));
    buf_u32(b, (uint32_t)n);
    buf_u32(b, n_calls);
    buf_u32(b, (uint32_t)strings.n);
    assert(b->n == HEADER_SIZE);
    buf_put(b, records.at, records.n);
    buf_put(b, calls.at, calls.n);
    buf_put(b, strings.at, strings.n);
    for (int i = 2; i >= 0; i--)
        oom_release(&cleanup[i]);
}

/* ---- reading ---- */

struct part {
    uint32_t size, n_functions, n_calls, strings_size;
    const uint8_t *functions, *calls;
    const char *strings;
};

struct reader {
    struct arena *arena;
    const struct elf *elf;
    struct diag_sink *sink;
    vec(struct function_info) functions;
};

static bool
functions_fail(struct reader *r, const char *what)
{
    diag_report(r->sink, DIAG_ERROR, (struct diag_at){ .file = r->elf->file },
                "section '%s': %s", section_name, what);
    return false;
}

static bool
read_header(struct reader *r, const struct cursor *section, struct part *p)
{
    struct cursor c = *section;
    uint32_t magic = cursor_u32(&c);
    unsigned version = cursor_u16(&c), header = cursor_u16(&c);
    p->size = cursor_u32(&c);
    p->n_functions = cursor_u32(&c);
    p->n_calls = cursor_u32(&c);
    p->strings_size = cursor_u32(&c);
    if (c.failed || magic != MAGIC || version != VERSION ||
        header != HEADER_SIZE)
        return functions_fail(r, "the header is none of version 1");
    if (p->size > cursor_left(section) || p->size % 4)
        return functions_fail(
            r, "the size is no multiple of 4, or past the end of the section");
    c = cursor_over(section->at, p->size);
    cursor_bytes(&c, HEADER_SIZE);
    p->functions = cursor_bytes(&c, (uint64_t)p->n_functions * FUNCTION_SIZE);
    p->calls = cursor_bytes(&c, (uint64_t)p->n_calls * CALL_SIZE);
    p->strings = (const char *)cursor_bytes(&c, p->strings_size);
    if (c.failed || !p->strings_size || p->strings[p->strings_size - 1])
        return functions_fail(r, "records and names do not fit into its size");
    return true;
}

static const char *
string_at(const struct part *p, uint32_t offset)
{
    return offset < p->strings_size ? p->strings + offset : NULL;
}

static bool
read_calls(struct reader *r, const struct part *p, uint32_t first,
           struct function_info *f)
{
    assert(first <= p->n_calls && f->n_calls <= p->n_calls - first);
    struct function_call *calls =
        arena_new(r->arena, struct function_call, f->n_calls + 1);
    for (uint32_t i = 0; i < f->n_calls; i++) {
        struct cursor c =
            cursor_over(p->calls + (size_t)(first + i) * CALL_SIZE, CALL_SIZE);
        calls[i].callee = string_at(p, cursor_u32(&c));
        calls[i].private_B = cursor_u32(&c);
        calls[i].stack_B = cursor_u32(&c);
        if (!calls[i].callee || calls[i].private_B > FUNCTION_PRIVATE_MAX_B ||
            calls[i].stack_B > FUNCTION_STACK_MAX_B)
            return functions_fail(r, "a call is out of range");
    }
    f->calls = calls;
    return true;
}

static bool
read_function(struct reader *r, const struct part *p, uint32_t i)
{
    assert(i < p->n_functions);
    struct cursor c =
        cursor_over(p->functions + (size_t)i * FUNCTION_SIZE, FUNCTION_SIZE);
    struct function_info f = { .name = string_at(p, cursor_u32(&c)) };
    f.sgprs = cursor_u32(&c);
    f.vgprs = cursor_u32(&c);
    f.private_B = cursor_u32(&c);
    f.stack_B = cursor_u32(&c);
    uint32_t first = cursor_u32(&c), n = cursor_u32(&c);
    if (!f.name || first > p->n_calls || n > p->n_calls - first)
        return functions_fail(r, "a name or its calls are past the end");
    if (f.sgprs > 64 || f.vgprs > 256 || f.private_B > FUNCTION_PRIVATE_MAX_B ||
        f.stack_B > FUNCTION_STACK_MAX_B)
        return functions_fail(
            r, "a function uses more registers or memory than a warp has");
    f.n_calls = n;
    if (!read_calls(r, p, first, &f))
        return false;
    vec_push(r->arena, &r->functions, f);
    return true;
}

bool
functions_read(struct arena *a, const struct elf *elf,
               struct function_list *list, struct diag_sink *sink)
{
    *list = (struct function_list){ 0 };
    struct reader r = { .arena = a, .elf = elf, .sink = sink };
    const struct elf_section *s = elf_find_section(elf, section_name);
    if (!s)
        return true;
    struct cursor c = cursor_over(s->contents, s->contents ? s->size : 0);
    while (cursor_left(&c)) {
        struct part p = { 0 };
        if (!read_header(&r, &c, &p))
            return false;
        for (uint32_t i = 0; i < p.n_functions; i++)
            if (!read_function(&r, &p, i))
                return false;
        cursor_bytes(&c, p.size);
    }
    *list = (struct function_list){ r.functions.at, r.functions.n };
    return true;
}
