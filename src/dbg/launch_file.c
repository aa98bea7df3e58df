/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/launch_file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_read.h"

enum { NO_CAUSE = VENTUS_MODEL_STALLS, CAUSES_MAX = 64 };

/* A launch: one line of the file. */
struct launch {
    struct arena *arena;
    const char *name;
    uint64_t launches, cycles;
    bool counted; /* the launch has counters */
    uint64_t slots[VENTUS_MODEL_STALLS];
    unsigned cause[CAUSES_MAX]; /* cause of each number in `slots` of a line */
    vec(struct launch_line) lines;
    vec(struct launch_advice) advice;
};

static uint64_t
number_of(const struct json_leaf *leaf)
{
    return strtoull(leaf->text, NULL, 10);
}

static unsigned
find_cause(const char *name, size_t n)
{
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        if (strlen(ventus_model_stall_names[i]) == n &&
            memcmp(ventus_model_stall_names[i], name, n) == 0)
            return i;
    return NO_CAUSE;
}

/* Splits "lines.12.slots.3" after its first word: 12, and "slots.3". */
static const char *
take_number(const char *path, uint64_t *number)
{
    char *end;
    *number = strtoull(path, &end, 10);
    return *end == '.' ? end + 1 : end;
}

static void
take_line(struct launch *l, const char *path, const struct json_leaf *leaf)
{
    uint64_t i, slot;
    const char *member = take_number(path, &i);
    while (l->lines.n <= i)
        vec_push(l->arena, &l->lines,
                 ((struct launch_line){ .file = "", .source = "" }));
    struct launch_line *line = &l->lines.at[i];
    if (strcmp(member, "file") == 0)
        line->file = json_plain(l->arena, leaf->text, leaf->n);
    else if (strcmp(member, "source") == 0)
        line->source = json_plain(l->arena, leaf->text, leaf->n);
    else if (strcmp(member, "line") == 0)
        line->line = number_of(leaf);
    else if (strcmp(member, "issued") == 0)
        line->issued = number_of(leaf);
    else if (strncmp(member, "slots.", 6) == 0) {
        take_number(member + 6, &slot);
        unsigned cause = slot < CAUSES_MAX ? l->cause[slot] : NO_CAUSE;
        if (cause != NO_CAUSE)
            line->slots[cause] += number_of(leaf);
        line->total += number_of(leaf);
    }
}

static void
take_advice(struct launch *l, const char *path, const struct json_leaf *leaf)
{
    uint64_t i;
    const char *member = take_number(path, &i);
    while (l->advice.n <= i)
        vec_push(l->arena, &l->advice,
                 ((struct launch_advice){
                     .file = "", .cause = "", .change = "", .shown = "" }));
    struct launch_advice *x = &l->advice.at[i];
    const char **text = strcmp(member, "file") == 0     ? &x->file
                        : strcmp(member, "cause") == 0  ? &x->cause
                        : strcmp(member, "change") == 0 ? &x->change
                        : strcmp(member, "shown") == 0  ? &x->shown
                                                        : NULL;
    if (text)
        *text = json_plain(l->arena, leaf->text, leaf->n);
    else if (strcmp(member, "line") == 0)
        x->line = number_of(leaf);
    else if (strcmp(member, "gain") == 0)
        x->gain = strtod(leaf->text, NULL);
}

static void
take_leaf(void *ctx, const struct json_leaf *leaf)
{
    struct launch *l = ctx;
    const char *path = leaf->path;
    uint64_t i;
    if (strcmp(path, "name") == 0) {
        l->name = json_plain(l->arena, leaf->text, leaf->n);
    } else if (strcmp(path, "cycles") == 0) {
        l->cycles = number_of(leaf);
    } else if (strcmp(path, "launches") == 0) {
        l->launches = number_of(leaf);
    } else if (strncmp(path, "counters.", 9) == 0) {
        unsigned cause = find_cause(path + 9, strlen(path + 9));
        if (cause != NO_CAUSE)
            l->slots[cause] = number_of(leaf);
        l->counted |= cause != NO_CAUSE;
    } else if (strncmp(path, "causes.", 7) == 0) {
        take_number(path + 7, &i);
        if (i < CAUSES_MAX)
            l->cause[i] = find_cause(leaf->text, leaf->n);
    } else if (strncmp(path, "lines.", 6) == 0) {
        take_line(l, path + 6, leaf);
    } else if (strncmp(path, "advice.", 7) == 0) {
        take_advice(l, path + 7, leaf);
    }
}

static void
add_slots(uint64_t *to, const uint64_t *from)
{
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        to[i] += from[i];
}

static void
add_line(struct arena *a, struct map *lines, const struct launch_line *from)
{
    const char *key = *from->source
                          ? from->source
                          : arena_printf(a, "%s:%llu", from->file,
                                         (unsigned long long)from->line);
    void **at = map_put(a, lines, key, strlen(key));
    struct launch_line *to = *at;
    if (!to) {
        *at = to = arena_new(a, struct launch_line, 1);
        *to = *from;
        return;
    }
    to->issued += from->issued;
    to->total += from->total;
    add_slots(to->slots, from->slots);
}

static struct launch_kernel *
find_kernel(const struct launch_file *f, const char *name)
{
    for (size_t i = 0; i < f->kernels.n; i++)
        if (strcmp(f->kernels.at[i]->name, name) == 0)
            return f->kernels.at[i];
    return NULL;
}

const struct launch_kernel *
launch_file_find(const struct launch_file *f, const char *name)
{
    return find_kernel(f, name);
}

static void
add_launch(struct arena *a, struct launch_file *f, const struct launch *l)
{
    struct launch_kernel *k = find_kernel(f, l->name);
    if (!k) {
        k = arena_new(a, struct launch_kernel, 1);
        k->name = l->name;
        vec_push(a, &f->kernels, k);
    }
    k->launches += l->launches;
    k->cycles += l->cycles;
    k->counted += l->counted ? l->launches : 0;
    k->lined += l->lines.n ? l->launches : 0;
    if (l->cycles > k->longest) {
        k->longest = l->cycles;
        k->advice = l->advice.at;
        k->n_advice = l->advice.n;
    }
    add_slots(k->slots, l->slots);
    for (size_t i = 0; i < l->lines.n; i++)
        add_line(a, &k->lines, &l->lines.at[i]);
}

void
launch_file_read(struct arena *a, const char *text, struct launch_file *out)
{
    *out = (struct launch_file){ { NULL, 0, 0 } };
    while (*text) {
        struct launch l = { .arena = a, .name = "", .launches = 1 };
        struct json_reader r = {
            .one_line = true, .at = text, .leaf = take_leaf, .ctx = &l
        };
        for (unsigned i = 0; i < CAUSES_MAX; i++)
            l.cause[i] = NO_CAUSE;
        if (json_read(&r) && l.cycles)
            add_launch(a, out, &l);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    for (size_t i = 0; i < out->kernels.n; i++)
        assert(out->kernels.at[i]->launches &&
               "a kernel is added with its first launch");
}
