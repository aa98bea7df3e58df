/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/dis/dis.h"
#include "base/json.h"

/* The source position of an address; NULL as file: unknown. */
struct dis_position {
    const char *file;
    unsigned line, column;
};

struct dis_json {
    struct json *json;
    const struct dis_options *options;
    struct dis_position (*position)(void *ctx, uint64_t address); /* or NULL */
    void *ctx;
};

/* A section as an object: name, address, size and an object for each
 * instruction; docs/man/ventus-dis.1 has the members. */
void
dis_json_section(const struct dis_json *d, const char *name,
                 const struct dis_code *code);
