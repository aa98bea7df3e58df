/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   12 00000010 0420200b     vadd.vx v80, v20, x40 <- regext inserted for v80
 *      00000014 02444057
 *
 * The listing is written at the end, when the fixups are resolved.
 */
#include <assert.h>

#include "asm/lex.h"
#include "asm/listing.h"

struct list_mark
list_begin(const struct assembler *a)
{
    return (struct list_mark){ .text = a->frame->line_text,
                               .p = a->p,
                               .section = a->section,
                               .frame = a->frame,
                               .start = a->section->size,
                               .line = a->frame->line,
                               .depth = a->frame->depth };
}

void
list_end(struct assembler *a, const struct list_mark *m)
{
    bool first =
        a->list.n == 0 || a->list.at[a->list.n - 1].text != m->text || m->depth;
    bool emitted = a->section == m->section && a->section->size != m->start;
    const char *note = a->list_note;
    a->list_note = NULL;
    if (!emitted && (!first || m->depth || *m->text == 0))
        return; /* the second statement of a line, or a quiet one */
    assert(!emitted || a->section->size > m->start);
    vec_push(a->arena, &a->list,
             ((struct list_row){ .text = first ? m->text : NULL,
                                 .section = m->section,
                                 .start = m->start,
                                 .end = emitted ? a->section->size : m->start,
                                 .line = m->line,
                                 .depth = m->depth,
                                 .note = note }));
}

/* At most eight lines of bytes: .space would fill pages. */
enum { MAX_WORDS = 8 };

static void
write_bytes(const struct list_row *r, uint64_t at, struct buf *out)
{
    const struct section *s = r->section;
    assert(at < r->end && r->end <= s->size);
    uint64_t n = r->end - at < 4 ? r->end - at : 4;
    buf_printf(out, "%08llx ", (unsigned long long)at);
    if (s->nobits || at + n > s->bytes.n) {
        buf_printf(out, "%-8s", "");
    } else if (n == 4 && at % 4 == 0 && s->flags & ELF_SHF_EXEC) {
        const uint8_t *b = s->bytes.at + at;
        buf_printf(out, "%02x%02x%02x%02x", b[3], b[2], b[1], b[0]);
    } else {
        for (uint64_t i = 0; i < 4; i++)
            if (i < n)
                buf_printf(out, "%02x", s->bytes.at[at + i]);
            else
                buf_put(out, "  ", 2);
    }
}

static void
write_row(const struct list_row *r, struct buf *out)
{
    static const char plus[] = "+++++";
    uint64_t at = r->start;
    buf_printf(out, "%6u%-2.*s ", r->line, r->depth < 5 ? (int)r->depth : 5,
               plus);
    if (at < r->end)
        write_bytes(r, at, out);
    else
        buf_printf(out, "%17s", "");
    if (r->text) {
        size_t n = strcspn(r->text, "\n");
        buf_printf(out, "  %.*s", (int)n, r->text);
    }
    if (r->note)
        buf_printf(out, "  <- %s", r->note);
    buf_u8(out, '\n');
    for (unsigned i = 1; at + 4 < r->end; i++) {
        at += 4;
        buf_printf(out, "%9s", "");
        if (i == MAX_WORDS) {
            buf_printf(out, "... %llu bytes in all\n",
                       (unsigned long long)(r->end - r->start));
            break;
        }
        write_bytes(r, at, out);
        buf_u8(out, '\n');
    }
}

void
listing_write(struct assembler *a, struct buf *out)
{
    for (size_t i = 0; i < a->list.n; i++)
        write_row(&a->list.at[i], out);
    buf_u8(out, 0);
    out->n--;
}
