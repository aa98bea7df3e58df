/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/tile_page.h"

#include <string.h>

#include <ventus/tile_isa.h>

#include "isa/words.h"

/* Bytes of a pattern from this value on are fields, by their number. */
enum { FIELDS = 128 };

/* Writes a pattern with its fields by name, in braces. */
static void
put_pattern(struct buf *out, const char *pattern)
{
    for (; *pattern; pattern++) {
        unsigned char byte = (unsigned char)*pattern;
        if (byte >= FIELDS)
            buf_printf(out, "{%s}", tile_words.fields[byte - FIELDS].name);
        else
            buf_u8(out, byte);
    }
}

/* Whether the name is the pattern, or its beginning up to a dot. */
static bool
matches(const char *pattern, const char *name)
{
    while (*name && (unsigned char)*pattern < FIELDS && *pattern == *name) {
        pattern++;
        name++;
    }
    if (!*name)
        return !*pattern || *pattern == '.';
    if ((unsigned char)*pattern < FIELDS)
        return false;
    const struct words_field *f =
        &tile_words.fields[(unsigned char)*pattern - FIELDS];
    if (!f->list)
        return false;
    const struct words_list *list = &tile_words.lists[f->list - 1];
    for (unsigned i = 0; i < list->count; i++) {
        size_t n = strlen(list->names[i].name);
        if (strncmp(list->names[i].name, name, n) == 0 &&
            matches(pattern + 1, name + n))
            return true;
    }
    return false;
}

bool
tile_page(struct buf *out, const char *name)
{
    bool any = false;
    for (unsigned op = 1; op < tile_words.row_count; op++) {
        const struct words_row *r = &tile_words.rows[op];
        if (name && strcmp(r->name, name) != 0 && !matches(r->mnemonic, name))
            continue;
        any = true;
        buf_printf(out, "  ");
        put_pattern(out, r->mnemonic);
        buf_u8(out, ' ');
        put_pattern(out, r->syntax);
        buf_printf(out, "\n      %s\n", r->prose);
    }
    return any;
}
