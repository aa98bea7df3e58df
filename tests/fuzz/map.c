/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/*
 * The input is a sequence of keys, each a length byte (0..7) and that many
 * bytes.  A map must agree with a list that is searched from the front.
 */
enum { KEYS_MAX = 500 };

struct key {
    const char *at;
    size_t length;
};

static size_t
index_of(const struct key *keys, size_t n, struct key k)
{
    size_t i = 0;
    while (i < n && !(keys[i].length == k.length &&
                      memcmp(keys[i].at, k.at, k.length) == 0))
        i++;
    return i;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct key keys[KEYS_MAX];
    struct arena a = { 0 };
    struct map m = { 0 };
    const uint8_t *end = bytes + size;
    while (bytes < end && m.n < KEYS_MAX) {
        size_t length = *bytes++ & 7;
        if (length > (size_t)(end - bytes))
            length = (size_t)(end - bytes);
        struct key k = { (const char *)bytes, length };
        bytes += length;
        size_t i = index_of(keys, m.n, k);
        void **found = map_find(&m, k.at, length);
        if ((found != NULL) != (i < m.n))
            abort();
        keys[i] = k;
        if (map_put(&a, &m, k.at, length) != &m.entry[i].value)
            abort();
    }
    arena_free(&a);
    return 0;
}
