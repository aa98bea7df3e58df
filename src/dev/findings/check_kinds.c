/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/findings/check_kinds.h"

#include <string.h>

#include "base/near.h"
#include "base/text.h"
#include "dev/device.h"
#include "dev/error.h"

static const struct {
    const char *name;
    unsigned kinds;
} known[] = {
    { "memory", SANITIZE_MEMORY }, { "init", SANITIZE_INIT },
    { "race", SANITIZE_RACE },     { "sync", SANITIZE_SYNC },
    { "scalar", SANITIZE_SCALAR }, { "arith", SANITIZE_ARITH },
    { "leak", CHECK_LEAK },        { "api", CHECK_API },
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

static void
fail_unknown(const char *name, size_t n, unsigned offered)
{
    char word[32] = "", list[96] = "";
    struct near near = { .word = word };
    if (n < sizeof word)
        memcpy(word, name, n);
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].kinds & offered) {
            near_offer(&near, known[i].name);
            text_append(list, sizeof list, "%s%s",
                        i == KNOWN - 1 ? " or "
                        : i            ? ", "
                                       : "",
                        known[i].name);
        }
    dev_fail("check: expected %s, separated by commas, found '%.*s'%s%s%s",
             list, (int)n, name, near.name ? ", did you mean '" : "",
             near.name ? near.name : "", near.name ? "'?" : "");
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
