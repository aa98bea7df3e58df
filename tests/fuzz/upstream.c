/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "obj/upstream.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* The input is a metadata file, a '#', and the data beside it. */
int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena a = { 0 };
    struct diag_sink sink = { .arena = &a };
    struct upstream_case c;
    const uint8_t *mark = size ? memchr(bytes, '#', size) : NULL;
    size_t n = mark ? (size_t)(mark - bytes) : size;
    const char *text = arena_strndup(&a, (const char *)bytes, n);
    if (upstream_parse_metadata(&a, "m", text, n, &c, &sink) && mark) {
        n = size - n - 1;
        text = arena_strndup(&a, (const char *)mark + 1, n);
        upstream_parse_data(&a, "d", text, n, &c, &sink);
    }
    arena_free(&a);
    return 0;
}
