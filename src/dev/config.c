/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/config.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ventus/model.h>

#include "base/file.h"
#include "base/spelling.h"
#include "dev/ini_file.h"

/* Choices of the key `engine` and what they mean. */
#define ENGINE(name, ...) " " #name
#define engine_choices    (&engine_words[1])
static const char engine_words[] =
#include "dev/engine/engine_table.h"
    ;
#undef ENGINE
#define ENGINE(name, capabilities, meaning) ", " #name " " meaning
#define engine_meanings                     (&engine_sentence[2])
static const char engine_sentence[] =
#include "dev/engine/engine_table.h"
    ;
#undef ENGINE

static const struct ventus_dev_key keys[] = {
#define CONFIG_KEY(section, name, type, unit, min, max, pow2, dflt, choices, \
                   meaning)                                                  \
    { #section, #name,  VENTUS_DEV_KEY_##type, unit, min, max, pow2, dflt,   \
      choices,  meaning },
#include "dev/config_table.h"
};

static const struct ventus_dev_text_key texts[] = {
#define CONFIG_TEXT(section, name, meaning) { #section, #name, meaning },
#include "dev/config_table.h"
};

const struct ventus_dev_key *
ventus_dev_keys(size_t *count)
{
    if (count)
        *count = CONFIG_KEYS;
    return keys;
}

const struct ventus_dev_text_key *
ventus_dev_text_keys(size_t *count)
{
    if (count)
        *count = CONFIG_TEXTS;
    return texts;
}

void
config_defaults(struct config *c)
{
    memset(c->text, 0, sizeof c->text);
    for (int k = 0; k < CONFIG_KEYS; k++)
        c->value[k] = keys[k].fallback;
}

static bool
unknown_key(struct diag_sink *sink, struct diag_at at, const char *name)
{
    struct spelling nearest = { .word = name };
    for (int k = 0; k < CONFIG_KEYS; k++)
        spelling_offer(&nearest, keys[k].name);
    for (int k = 0; k < CONFIG_TEXTS; k++)
        spelling_offer(&nearest, texts[k].name);
    if (nearest.name)
        diag_report(sink, DIAG_ERROR, at,
                    "unknown key '%s'; did you mean '%s'?", name, nearest.name);
    else
        diag_report(sink, DIAG_ERROR, at,
                    "unknown key '%s'; ventus info --config lists all", name);
    return false;
}

/* Reads a number, decimal or 0x..., with K, M or G at its end if `suffix`. */
static bool
parse_number(const char *text, bool suffix, uint64_t *value)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*text))
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    uint64_t x = strtoull(text, &end, hex ? 16 : 10);
    if (errno)
        return false;
    unsigned shift = 0;
    if (suffix && *end && strchr("KMG", *end)) {
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 30;
        end++;
    }
    *value = x << shift;
    return !*end && *value >> shift == x;
}

/* The number of the word in the list "v1 v2", from 0; -1 if not there. */
static int
find_choice(const char *choices, const char *word)
{
    size_t n = strlen(word);
    for (int i = 0; *choices; i++) {
        size_t length = strcspn(choices, " ");
        if (n == length && memcmp(choices, word, n) == 0)
            return i;
        choices += length;
        choices += strspn(choices, " ");
    }
    return -1;
}

static bool
parse_value(const struct ventus_dev_key *key, const char *text, uint64_t *value,
            struct diag_sink *sink, struct diag_at at)
{
    const char *const words[] = { "no", "yes", "false", "true", "0", "1" };
    switch (key->type) {
    case VENTUS_DEV_KEY_BOOL:
        for (unsigned i = 0; i < 6; i++)
            if (strcmp(text, words[i]) == 0) {
                *value = i & 1;
                return true;
            }
        diag_report(sink, DIAG_ERROR, at, "%s is yes or no, found '%s'",
                    key->name, text);
        return false;
    case VENTUS_DEV_KEY_CHOICE: {
        int choice = find_choice(key->choices, text);
        if (choice < 0) {
            diag_report(sink, DIAG_ERROR, at, "%s is one of %s, found '%s'",
                        key->name, key->choices, text);
            return false;
        }
        *value = key->min + (unsigned)choice;
        return true;
    }
    case VENTUS_DEV_KEY_NUMBER:
    case VENTUS_DEV_KEY_SIZE:
        break;
    }
    uint64_t x;
    if (parse_number(text, key->type == VENTUS_DEV_KEY_SIZE, &x) &&
        x >= key->min && x <= key->max &&
        !(key->power_of_two && (x & (x - 1)))) {
        *value = x;
        return true;
    }
    char range[64] = "";
    if (key->max != UINT64_MAX)
        snprintf(range, sizeof range, ", %" PRIu64 " to %" PRIu64, key->min,
                 key->max);
    else if (key->min)
        snprintf(range, sizeof range, " of at least %" PRIu64, key->min);
    diag_report(
        sink, DIAG_ERROR, at, "%s is %s%s%s, found '%s'", key->name,
        key->power_of_two ? "a power of two" : "a number", range,
        key->type == VENTUS_DEV_KEY_SIZE ? ", may end in K, M or G" : "", text);
    return false;
}

static bool
parse_words(const struct ventus_dev_text_key *key, const char *text,
            char to[CONFIG_TEXT_SIZE], struct diag_sink *sink,
            struct diag_at at)
{
    size_t n = 0;
    while (text[n] >= ' ' && text[n] <= '~')
        n++;
    if (n && n < CONFIG_TEXT_SIZE && !text[n]) {
        memcpy(to, text, n + 1);
        return true;
    }
    diag_report(sink, DIAG_ERROR, at,
                "%s is 1 to %d printable characters of ASCII, found '%s'",
                key->name, CONFIG_TEXT_SIZE - 1, text);
    return false;
}

/* The number of a key among all: those of texts come after the others; -1: unknown. */
static int
find_key(const char *name)
{
    for (int k = 0; k < CONFIG_KEYS; k++)
        if (strcmp(keys[k].name, name) == 0)
            return k;
    for (int k = 0; k < CONFIG_TEXTS; k++)
        if (strcmp(texts[k].name, name) == 0)
            return CONFIG_KEYS + k;
    return -1;
}

static const char *
section_of(int key)
{
    return key < CONFIG_KEYS ? keys[key].section
                             : texts[key - CONFIG_KEYS].section;
}

/* Sets a key, by its number among all. */
static bool
set_key(struct config *c, int key, const char *text, struct diag_sink *sink,
        struct diag_at at)
{
    if (key < CONFIG_KEYS)
        return parse_value(&keys[key], text, &c->value[key], sink, at);
    key -= CONFIG_KEYS;
    return parse_words(&texts[key], text, c->text[key], sink, at);
}

bool
config_set(struct config *c, struct arena *a, const char *setting,
           struct diag_sink *sink)
{
    struct diag_at at = { .file = NULL };
    const char *equals = strchr(setting, '=');
    if (!equals) {
        diag_report(sink, DIAG_ERROR, at, "expected key=value, found '%s'",
                    setting);
        return false;
    }
    char *name = arena_strndup(a, setting, (size_t)(equals - setting));
    int k = find_key(name);
    if (k < 0)
        return unknown_key(sink, at, name);
    return set_key(c, k, equals + 1, sink, at);
}

const char *
config_text(struct arena *a, const struct config *c, enum config_key key)
{
    const struct ventus_dev_key *k = &keys[key];
    const char *word = k->choices;
    if (k->type != VENTUS_DEV_KEY_CHOICE)
        return arena_printf(a, "%s=%" PRIu64, k->name, c->value[key]);
    for (uint64_t i = k->min; i < c->value[key]; i++) {
        word += strcspn(word, " ");
        word += strspn(word, " ");
    }
    return arena_printf(a, "%s=%.*s", k->name, (int)strcspn(word, " "), word);
}

enum { BASES_MAX = 8 };

struct reader {
    struct config *c;
    struct arena *arena;
    unsigned depth; /* files that are based on this one */
    unsigned seen[CONFIG_KEYS + (int)CONFIG_TEXTS]; /* line that set it */
    bool started;                                   /* it has set something */
};

static bool
read_config(struct config *c, struct arena *a, const char *name, unsigned depth,
            struct diag_sink *sink);

/* `base = NAME`: a preset, or an ini file that is found from the folder of this one. */
static bool
take_base(struct ini_file *f, const char *name)
{
    struct reader *r = f->ctx;
    const char *slash = strrchr(f->file, '/');
    size_t n = strlen(name);
    bool file = strchr(name, '/') || (n > 4 && !strcmp(name + n - 4, ".ini"));
    const char *wrong = r->started ? "base comes before all settings, and once"
                        : r->depth == BASES_MAX
                            ? "expected a base that is not based on this file"
                            : NULL;
    if (wrong) {
        diag_report(f->sink, DIAG_ERROR, f->at, "%s, found 'base = %s'", wrong,
                    name);
        return false;
    }
    r->started = true;
    if (file && *name != '/' && slash)
        name = arena_printf(r->arena, "%.*s/%s", (int)(slash - f->file),
                            f->file, name);
    struct diag_sink own = { .arena = r->arena };
    bool ok = read_config(r->c, r->arena, name, r->depth + 1, &own);
    for (const struct diag *d = own.first; d; d = d->next) {
        struct diag_at at = { d->file, d->line, d->col, d->line_text };
        diag_report(f->sink, d->severity, d->file ? at : f->at, "%s",
                    d->message);
    }
    return ok;
}

static bool
take_setting(struct ini_file *f, const char *section, const char *name,
             const char *value)
{
    struct reader *r = f->ctx;
    bool ok = false;
    if (strcmp(name, "base") == 0 &&
        (!*section || strcmp(section, "machine") == 0))
        return take_base(f, value);
    int k = find_key(name);
    r->started = true;
    if (k < 0)
        return unknown_key(f->sink, f->at, name);
    if (strcmp(section, section_of(k)) != 0)
        diag_report(f->sink, DIAG_ERROR, f->at,
                    *section ? "key '%s' belongs in [%s], found in [%s]"
                             : "key '%s' belongs in [%s], found before the "
                               "first section%s",
                    name, section_of(k), section);
    else if (r->seen[k])
        diag_report(f->sink, DIAG_ERROR, f->at,
                    "key '%s' is set twice, first in line %u", name,
                    r->seen[k]);
    else
        ok = set_key(r->c, k, value, f->sink, f->at);
    r->seen[k] = f->at.line;
    return ok;
}

static bool
parse_text(struct reader r, const char *file, const char *text,
           struct diag_sink *sink)
{
    struct ini_file f = { .file = file,
                          .text = text,
                          .sink = sink,
                          .take = take_setting,
                          .ctx = &r };
    return ini_file_read(&f);
}

bool
config_parse(struct config *c, const char *file, const char *text,
             struct diag_sink *sink)
{
    const struct reader r = { .c = c, .arena = sink->arena };
    return parse_text(r, file, text, sink);
}

static bool
unknown_preset(struct arena *a, const char *folder, const char *name,
               struct diag_sink *sink)
{
    struct spelling nearest = { .word = name };
    struct config_names names = { 0 };
    config_names(a, folder, &names);
    const char *list = "";
    for (size_t i = 0; i < names.list.n; i++) {
        spelling_offer(&nearest, names.list.at[i]);
        list = arena_printf(a, "%s%s%s", list, i ? ", " : "", names.list.at[i]);
    }
    diag_report(
        sink, DIAG_ERROR, (struct diag_at){ .file = NULL },
        "no preset '%s'%s%s%s (presets: %s; files: NAME.ini, PATH/NAME)", name,
        nearest.name ? ", did you mean '" : "",
        nearest.name ? nearest.name : "", nearest.name ? "'?" : "", list);
    return false;
}

static bool
read_built_in(struct reader r, const char *name, struct diag_sink *sink)
{
    for (const struct config_preset *p = config_presets; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return parse_text(r, name, p->text, sink);
    return unknown_preset(r.arena, NULL, name, sink);
}

static bool
read_config(struct config *c, struct arena *a, const char *name, unsigned depth,
            struct diag_sink *sink)
{
    const struct reader r = { .c = c, .arena = a, .depth = depth };
    const char *path = name ? name : "default";
    size_t n = strlen(path);
    if (!strchr(path, '/') && (n < 4 || strcmp(path + n - 4, ".ini") != 0)) {
        const char *folder = config_folder(a), *preset = path;
        if (!folder)
            return read_built_in(r, preset, sink);
        path = arena_printf(a, "%s/%s.ini", folder, preset);
        if (access(path, F_OK) != 0 && errno == ENOENT)
            return unknown_preset(a, folder, preset, sink);
    }
    size_t size;
    const char *text = (const char *)file_read(a, path, &size, sink);
    if (!text)
        return false;
    if (strlen(text) != size) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                    "a zero byte: this is no ini file");
        return false;
    }
    return parse_text(r, path, text, sink);
}

bool
config_read(struct config *c, struct arena *a, const char *name,
            struct diag_sink *sink)
{
    return read_config(c, a, name, 0, sink);
}
