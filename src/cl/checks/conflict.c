/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/checks/conflict.h"
#include "base/arith.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cl/checks/call_site.h"
#include "cl/checks/checks.h"

enum { MAX_ACCESSES = 64, DESCRIPTION_B = 700 };

/* The ranges of a memory object that a command has accessed. */
struct access {
    struct access *next; /* next older access */
    unsigned chain;
    uint32_t number;
    uint64_t
        serial; /* serial number of the event: the order of enqueueing; commands
                      * of a command buffer share it */
    char *command; /* text of conflict_describe */
    size_t n;
    struct ventus_dev_touch range[];
};

static void
free_access(struct access *a)
{
    free(a->command);
    free(a);
}

/* ---- descriptions ---- */

static const char *
entry_of(cl_command_type type, bool of_buffer)
{
    static const struct {
        cl_command_type type;
        const char *entry, *recorded;
    } entries[] = {
        { CL_COMMAND_NDRANGE_KERNEL, "clEnqueueNDRangeKernel",
          "clCommandNDRangeKernelKHR" },
        { CL_COMMAND_TASK, "clEnqueueTask", NULL },
        { CL_COMMAND_READ_BUFFER, "clEnqueueReadBuffer", NULL },
        { CL_COMMAND_WRITE_BUFFER, "clEnqueueWriteBuffer", NULL },
        { CL_COMMAND_COPY_BUFFER, "clEnqueueCopyBuffer",
          "clCommandCopyBufferKHR" },
        { CL_COMMAND_READ_IMAGE, "clEnqueueReadImage", NULL },
        { CL_COMMAND_WRITE_IMAGE, "clEnqueueWriteImage", NULL },
        { CL_COMMAND_COPY_IMAGE, "clEnqueueCopyImage",
          "clCommandCopyImageKHR" },
        { CL_COMMAND_COPY_IMAGE_TO_BUFFER, "clEnqueueCopyImageToBuffer",
          "clCommandCopyImageToBufferKHR" },
        { CL_COMMAND_COPY_BUFFER_TO_IMAGE, "clEnqueueCopyBufferToImage",
          "clCommandCopyBufferToImageKHR" },
        { CL_COMMAND_MAP_BUFFER, "clEnqueueMapBuffer", NULL },
        { CL_COMMAND_MAP_IMAGE, "clEnqueueMapImage", NULL },
        { CL_COMMAND_UNMAP_MEM_OBJECT, "clEnqueueUnmapMemObject", NULL },
        { CL_COMMAND_READ_BUFFER_RECT, "clEnqueueReadBufferRect", NULL },
        { CL_COMMAND_WRITE_BUFFER_RECT, "clEnqueueWriteBufferRect", NULL },
        { CL_COMMAND_COPY_BUFFER_RECT, "clEnqueueCopyBufferRect",
          "clCommandCopyBufferRectKHR" },
        { CL_COMMAND_FILL_BUFFER, "clEnqueueFillBuffer",
          "clCommandFillBufferKHR" },
        { CL_COMMAND_FILL_IMAGE, "clEnqueueFillImage",
          "clCommandFillImageKHR" },
    };
    for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
        if (entries[i].type == type)
            return of_buffer ? entries[i].recorded : entries[i].entry;
    return "a command";
}

const char *
conflict_entry(cl_event e)
{
    return entry_of(e->type, e->recorded);
}

void
conflict_describe(cl_event e, const char *kernel, char *text, size_t capacity)
{
    char place[512] = "";
    if (e->stamp)
        call_site_of_address(e->stamp->caller, place, sizeof place);
    snprintf(text, capacity, "%s%s%s%s%s", conflict_entry(e),
             kernel ? " of kernel '" : "", kernel ? kernel : "",
             kernel ? "'" : "", place);
}

/* ---- ranges ---- */

/* Whether the two accesses do not conflict, so that their order is irrelevant.  If
 * they do, [*from, *to) is the first range of both. */
static bool
are_apart(const struct access *a, const struct access *b, uint64_t *from,
          uint64_t *to)
{
    for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
        const struct ventus_dev_touch *x = &a->range[i], *y = &b->range[k];
        bool meets = x->from < y->to && y->from < x->to;
        if (meets && (x->written || y->written) && !(x->atomic && y->atomic)) {
            *from = x->from > y->from ? x->from : y->from;
            *to = x->to < y->to ? x->to : y->to;
            return false;
        }
        if (x->to < y->to)
            i++;
        else
            k++;
    }
    return true;
}

/* Whether `b` makes `a` redundant: it covers all bytes of `a`, and writes those that
 * `a` writes, so that any access that conflicts with `a` conflicts with `b`, too. */
static bool
is_covered(const struct access *a, const struct access *b)
{
    size_t k = 0;
    assert(a->n && b->n && "an access of nothing is not listed");
    for (size_t i = 0; i < a->n; i++) {
        const struct ventus_dev_touch *x = &a->range[i];
        while (k < b->n && b->range[k].to <= x->from)
            k++;
        if (k == b->n || b->range[k].from > x->from || b->range[k].to < x->to ||
            (x->written && !b->range[k].written) || b->range[k].atomic)
            return false;
    }
    return true;
}

/* ---- lists ---- */

/* The text of a conflict; "" if there is none. */
struct found {
    char text[2 * DESCRIPTION_B];
};

static void
describe_conflict(const struct access *a, const struct access *b, uint64_t from,
                  uint64_t to, struct found *found)
{
    const struct access *first = a->serial <= b->serial ? a : b;
    const struct access *second = first == a ? b : a;
    assert(from < to && "bytes that both access");
    snprintf(found->text, sizeof found->text,
             "%s, and %s access bytes %llu to %llu", first->command,
             second->command, (unsigned long long)from, (unsigned long long)to);
}

/* Adds an access, compares it with the others of the list, and drops those that can
 * have no further conflict.  The lock of the list is held. */
static void
add_access(struct access **list, struct access *new,
           const struct order_clock *clock, const struct order_clock *program,
           struct found *found)
{
    uint64_t from, to;
    unsigned n = 1;
    for (struct access **link = list, *a; (a = *link);) {
        const bool before = order_is_before(a->chain, a->number, clock);
        if (!before && !*found->text && !are_apart(a, new, &from, &to))
            describe_conflict(a, new, from, to, found);
        if (++n > MAX_ACCESSES || (before && is_covered(a, new)) ||
            order_is_before(a->chain, a->number, program)) {
            *link = a->next;
            free_access(a);
            continue;
        }
        link = &a->next;
    }
    new->next = *list;
    *list = new;
}

/* Makes an access.  NULL: checks are off, or no host memory. */
static struct access *
new_access(cl_event e, const char *kernel, const struct ventus_dev_touch *range,
           size_t n)
{
    char text[DESCRIPTION_B];
    if (!e->stamp || !e->stamp->number || !n)
        return NULL;
    struct access *a = calloc(1, sizeof *a + n * sizeof *range);
    if (!a)
        return NULL;
    conflict_describe(e, kernel, text, sizeof text);
    a->chain = e->stamp->chain;
    a->number = e->stamp->number;
    a->serial = e->base.serial;
    a->command = strdup(text);
    a->n = n;
    memcpy(a->range, range, n * sizeof *range);
    if (a->command)
        return a;
    free(a);
    return NULL;
}

/* The commands that the host program has waited for, as a vector clock. */
static struct order_clock
clock_of_program(cl_context c)
{
    pthread_mutex_lock(&c->lock);
    struct order_clock clock = c->order.program;
    pthread_mutex_unlock(&c->lock);
    return clock;
}

void
conflict_note(cl_event e, cl_mem m, const char *kernel,
              const struct ventus_dev_touch *range, size_t n)
{
    cl_mem root = mem_root(m);
    struct access *a = new_access(e, kernel, range, n);
    struct found found = { "" };
    if (!a)
        return;
    const struct order_clock program = clock_of_program(e->context);
    pthread_mutex_lock(&root->lock);
    add_access(&root->accesses, a, &e->stamp->clock, &program, &found);
    pthread_mutex_unlock(&root->lock);
    if (*found.text)
        checks_note("unordered-commands", kernel, conflict_entry(e),
                    "%s of object %llu, and one of them writes: no event, "
                    "barrier or wait orders them",
                    found.text, (unsigned long long)root->base.serial);
}

void
conflict_note_range(cl_event e, cl_mem m, size_t from, size_t size,
                    bool written)
{
    const struct ventus_dev_touch one = { .from = m->origin + from,
                                          .to = m->origin + from + size,
                                          .written = written };
    conflict_note(e, m, NULL, &one, 1);
}

void
conflict_note_host(cl_event e, const struct ventus_dev_touch *range, size_t n)
{
    cl_context c = e->context;
    struct access *a = new_access(e, NULL, range, n);
    struct found found = { "" };
    if (!a)
        return;
    pthread_mutex_lock(&c->lock);
    add_access(&c->accesses, a, &e->stamp->clock, &c->order.program, &found);
    pthread_mutex_unlock(&c->lock);
    if (*found.text)
        checks_note("unordered-commands", NULL, conflict_entry(e),
                    "%s of the program's memory, and one of them writes: no "
                    "event, barrier or wait orders them",
                    found.text);
}

/* Clips a list of device addresses to the root object. */
static size_t
clip_touched(const struct ventus_dev_touched *all, uint64_t at, uint64_t size,
             struct ventus_dev_touch *to)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        struct ventus_dev_touch one = all->at[i];
        one.from = one.from > at ? one.from : at;
        one.to = one.to < at + size ? one.to : at + size;
        if (one.from >= one.to)
            continue;
        one.from -= at;
        one.to -= at;
        to[n++] = one;
    }
    return n;
}

void
conflict_note_kernel(cl_event e, cl_mem m, const char *kernel,
                     const struct ventus_dev_touched *touched)
{
    cl_mem root = mem_root(m);
    struct ventus_dev_touch *range =
        touched->n ? calloc(touched->n, sizeof *range) : NULL;
    if (!range)
        return;
    pthread_mutex_lock(&root->lock);
    uint64_t at = root->address[e->queue->device_index];
    pthread_mutex_unlock(&root->lock);
    conflict_note(e, m, kernel, range,
                  clip_touched(touched, at, root->size, range));
    free(range);
}

void
conflict_check_read(cl_event e, cl_mem m, uint64_t address, size_t size)
{
    enum { MAX_PADDING_B = 128 }; /* the largest alignment of a type */
    const uint64_t least = size < MAX_PADDING_B ? size : MAX_PADDING_B;
    cl_mem root = mem_root(m);
    char command[DESCRIPTION_B];
    uint64_t from;
    if (!e->stamp || !ventus_dev_check_unwritten(e->queue->device->dev, address,
                                                 size, least, &from))
        return;
    conflict_describe(e, NULL, command, sizeof command);
    pthread_mutex_lock(&root->lock);
    from -= root->address[e->queue->device_index] + m->origin;
    pthread_mutex_unlock(&root->lock);
    checks_note("unwritten-read", NULL, conflict_entry(e),
                "%s reads bytes of object %llu that neither a kernel nor the "
                "program has written: %llu from byte %llu on, or more",
                command, (unsigned long long)m->base.serial,
                (unsigned long long)least, (unsigned long long)from);
}

/* ---- destruction ---- */

void
conflict_end(struct access **list)
{
    for (struct access *a; (a = *list); free_access(a))
        *list = a->next;
}

void
conflict_tell_reads(void *context)
{
    cl_context c = context;
    pthread_mutex_lock(&c->lock);
    order_drop_reads(&c->order, false);
    for (const struct order_read *r = c->order.reads; r; r = r->next) {
        char place[512];
        call_site_of_address(r->caller, place, sizeof place);
        checks_note("read-not-waited", NULL, entry_of(r->type, false),
                    "%s%s does not block, and the program never waits for it: "
                    "it cannot know when its memory has the bytes",
                    entry_of(r->type, false), place);
    }
    pthread_mutex_unlock(&c->lock);
}
