/* SPDX-License-Identifier: Apache-2.0 */
/* Names and strings in assembler text. */
#include "asm/dis/quote.h"

#include <string.h>

bool
dis_is_plain(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_.";
    if (!*name || !strchr(letters, *name))
        return false;
    for (const char *c = name; *c; c++)
        if (!strchr(letters, *c) && !strchr("0123456789$", *c))
            return false;
    return true;
}

void
dis_put_quoted(struct buf *out, const char *text)
{
    buf_u8(out, '"');
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            buf_printf(out, "\\%c", *c);
        else if (*c == '\n')
            buf_printf(out, "\\n");
        else if (*c < ' ' || *c == 127)
            buf_printf(out, "\\%03o", *c);
        else
            buf_u8(out, *c);
    buf_u8(out, '"');
}

const char *
dis_name(struct arena *a, const char *name)
{
    struct buf b = { 0 };
    if (dis_is_plain(name))
        return name;
    dis_put_quoted(&b, name);
    const char *quoted = arena_strndup(a, (const char *)b.at, b.n);
    buf_free(&b);
    return quoted;
}
