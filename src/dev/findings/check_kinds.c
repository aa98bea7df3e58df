/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/findings/check_kinds.h"

#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/error.h"

static const struct {
    const char *name;
    unsigned kinds;
} known[] = {
#define SANITIZE_KIND(kind, name, help) { name, SANITIZE_##kind },
#define HOST_KIND(kind, name, help)     { name, CHECK_##kind },
#include "sanitize/kinds.def"
    { "all", CHECK_ALL },
};

enum { KNOWN = sizeof known / sizeof *known };

static unsigned
kinds_of(const char *name, size_t n)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strlen(known[i].name) == n && strncmp(known[i].name, name, n) == 0)
            return known[i].kinds;
    return 0;
}

void
findings_kind_list(char *list, unsigned offered, const char *last)
{
    unsigned rest = offered;
    *list = 0;
    for (size_t i = 0; i < KNOWN && rest; i++) {
        if (!(known[i].kinds & rest))
            continue;
        rest &= ~known[i].kinds;
        text_append(list, CHECK_LIST_MAX, "%s%s",
                    !*list ? ""
                    : rest ? ", "
                           : last,
                    known[i].name);
    }
}

static void
fail_unknown(const char *name, size_t n, unsigned offered)
{
    char word[32] = "", list[CHECK_LIST_MAX];
    struct spelling nearest = { .word = word };
    if (n < sizeof word)
        memcpy(word, name, n);
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].kinds & offered)
            spelling_offer(&nearest, known[i].name);
    findings_kind_list(list, offered, ", ");
    dev_fail(
        "check: expected %s or all, separated by commas, found '%.*s'%s%s%s",
        list, (int)n, name, nearest.name ? ", did you mean '" : "",
        nearest.name ? nearest.name : "", nearest.name ? "'?" : "");
}

unsigned
findings_kinds(const char *text, unsigned offered)
{
    unsigned kinds = 0;
    if (!text)
        return CHECK_ALL;
    for (;; text++) {
        size_t n = strcspn(text, ",");
        unsigned one = kinds_of(text, n);
        if (!one) {
            fail_unknown(text, n, offered);
            return 0;
        }
        kinds |= one;
        text += n;
        if (!*text)
            return kinds;
    }
}
