/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "base/diag.h"
#include "base/vec.h"

/*
 * The settings of a device.  config_table.h is the one list of them; here is
 * the one reader, for ini files
 *
 *     base = chisel       ; a preset or a file, whose settings it changes
 *     [machine]
 *     num_thread = 32     ; lanes of a warp
 *
 * and for key=value.
 */
enum engine_number {
#define ENGINE(name, ...) ENGINE_NUMBER_##name,
#include "dev/engine/engine_table.h"
#undef ENGINE
    ENGINES
};

enum config_key {
#define CONFIG_KEY(section, name, ...) CONFIG_##name,
#include "dev/config_table.h"
    CONFIG_KEYS
};

enum config_text_key {
#define CONFIG_TEXT(section, name, ...) CONFIG_##name,
#include "dev/config_table.h"
    CONFIG_TEXTS
};

enum { CONFIG_TEXT_SIZE = 64 }; /* with the zero at the end */

struct config {
    uint64_t value[CONFIG_KEYS];
    char text[CONFIG_TEXTS][CONFIG_TEXT_SIZE]; /* "": not set */
};

void
config_defaults(struct config *c);

/* Reads a preset by name, or an ini file by path; NULL is "default". */
bool
config_read(struct config *c, struct arena *a, const char *name,
            struct diag_sink *sink);

/* Reads an ini file from memory; `file` is for messages. */
bool
config_parse(struct config *c, const char *file, const char *text,
             struct diag_sink *sink);

/* Reads one "key=value". */
bool
config_set(struct config *c, struct arena *a, const char *setting,
           struct diag_sink *sink);

/* "key=value", as config_set takes it, in the arena. */
const char *
config_text(struct arena *a, const struct config *c, enum config_key key);

/*
 * The folder of the presets: share/ventus/configs beside the folder of this
 * program or library, or beside one above it; NULL if there is none.
 */
const char *
config_folder(struct arena *a);

struct config_names {
    vec(const char *) list;
};

/*
 * The names of the presets in `folder`, or of those that are built in if it is
 * NULL or cannot be read; in alphabetical order.
 */
void
config_names(struct arena *a, const char *folder, struct config_names *names);

/* Presets that are built in, for where there is no folder; NULL after the last. */
struct config_preset {
    const char *name, *text;
};

extern const struct config_preset config_presets[];
