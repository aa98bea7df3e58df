/* SPDX-License-Identifier: Apache-2.0 */
/* ventus replay: runs one launch, on one machine or two. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "command.h"
#include "dev/output/report.h"
#include "dev/spec.h"
#include "replay.h"

enum { MAX_SHOWN = 16 };

/* A launch on one device, with its result. */
struct machine {
    struct ventus_dev *dev;
    struct replay replay;
    struct exec_launch launched;
    bool ok;
};

struct run {
    struct replaying *r;
    size_t number;
    /* after: the recorded memory after the launch, or NULL. */
    struct recording_memory *memory, *after;
    struct machine one, two;
    struct replay_difference list[MAX_SHOWN];
    size_t differ;
    bool compared;
};

static bool
fail_sink(struct run *k)
{
    struct exec *e = &k->r->e;
    diag_print(&e->sink, stderr, command_colour());
    e->sink = (struct diag_sink){ .arena = &e->arena };
    return false;
}

/* Opens a device with the recorded settings, or with those of the given preset. */
static struct ventus_dev *
open_device(struct run *k, bool model)
{
    struct exec *e = &k->r->e;
    vec(const char *) set = { 0 };
    size_t n;
    const char *const *recorded =
        replay_settings(&e->arena, &k->memory->launch, e->device != NULL, &n);
    for (size_t i = 0; i < n; i++)
        vec_push(&e->arena, &set, recorded[i]);
    if (k->r->compare || e->checked || e->gdb)
        vec_push(&e->arena, &set, "engine=sim");
    if (k->r->compare || e->checked || e->gdb || e->stats)
        vec_push(&e->arena, &set, "execution=interpreter");
    for (size_t i = 0; i < e->set.n; i++)
        if (!k->r->compare || strncmp(e->set.at[i], "engine=", 7) != 0)
            vec_push(&e->arena, &set, e->set.at[i]);
    if (k->r->compare && model)
        vec_push(&e->arena, &set, "engine=model");
    return ventus_dev_open(&(struct ventus_dev_options){
        .config = e->device, .set = set.at, .n_set = set.n });
}

/* Whether the engine has what --coherence chooses; --compare runs both engines. */
static bool
suits_coherence(const struct run *k, const struct ventus_dev *dev)
{
    bool ok = !k->r->e.coherence || k->r->compare ||
              ventus_dev_can(dev, VENTUS_DEV_CYCLES);
    if (!ok)
        fputs("replay: error: --coherence needs an engine that counts cycles "
              "(--model)\n",
              stderr);
    return ok;
}

/* Restores the memory that the launch found; false: an error, which is reported. */
static bool
restore_memory(struct run *k, struct machine *m, bool model)
{
    struct exec *e = &k->r->e;
    m->dev = open_device(k, model);
    if (!m->dev || !exec_check(e, m->dev) ||
        (e->gdb && !ventus_dev_debug(m->dev, e->gdb, stderr)))
        return exec_fail() == 0;
    if (!suits_coherence(k, m->dev))
        return false;
    if (!replay_restore(&m->replay, m->dev, k->r->from,
                        recording_path(k->r->from), k->memory, &e->sink))
        return fail_sink(k);
    m->launched = (struct exec_launch){ .e = e,
                                        .dev = m->dev,
                                        .launch = m->replay.launch };
    return true;
}

static bool
run_launch(struct run *k, struct machine *m)
{
    struct exec *e = &k->r->e;
    if (e->hot)
        m->launched.profile = ventus_dev_profile_new();
    if (!exec_record(e, m->dev))
        return false;
    m->ok = exec_launch(&m->launched);
    if (!m->ok && m->launched.result.message[0])
        fprintf(stderr, "replay: error: %s\n", m->launched.result.message);
    /* An interrupt ends the comparison, as the other machine may not have ended. */
    return !k->r->compare || !exec_interrupted();
}

static void
close_machine(struct machine *m)
{
    replay_free(&m->replay);
    ventus_dev_close(m->dev);
    m->dev = NULL;
}

/* ---- --show and --dump ---- */

static uint64_t
size_at(const struct run *k, uint64_t address)
{
    for (size_t i = 0; i < k->memory->n; i++) {
        const struct recording_range *r = &k->memory->piece[i]->range;
        if (address - r->address < r->size)
            return r->address + r->size - address;
    }
    return 0;
}

static bool
write_outputs(struct run *k)
{
    struct exec *e = &k->r->e;
    const struct ventus_dev_launch *l = &k->one.replay.launch;
    struct spec *spec = arena_new(&e->arena, struct spec, l->n_args);
    for (size_t i = 0; i < l->n_args; i++) {
        spec[i].arg = l->args[i];
        if (spec[i].arg.kind == VENTUS_DEV_ARG_POINTER)
            spec[i].arg.kind = VENTUS_DEV_ARG_BUFFER;
        spec[i].size = (size_t)size_at(k, l->args[i].address);
    }
    return exec_check_outputs(e, spec, l->n_args) &&
           exec_write_outputs(e, spec, k->one.dev);
}

/* ---- report ---- */

/* Whether the recorded end of the launch is known and to be expected.  Under GDB it is
 * not: the user changes memory, and ends launches. */
static bool
has_expectation(const struct run *k)
{
    return k->memory->result.message && !k->r->e.gdb;
}

/* Whether the machine refused the launch, so that it did not run at all. */
static bool
was_refused(const struct run *k, const struct machine *m)
{
    return !k->r->e.gdb && m->dev && !m->ok && !m->launched.result.fault.kind;
}

static bool
compare_machines(struct run *k)
{
    struct exec *e = &k->r->e;
    bool two = k->two.dev != NULL;
    if (was_refused(k, &k->one) || was_refused(k, &k->two))
        return true;
    bool recorded =
        has_expectation(k) && k->memory->result.has_memory &&
        recording_memory_read(k->after, k->r->from, k->number, true, &e->sink);
    if (!two && !recorded)
        return e->sink.errors ? fail_sink(k) : true;
    k->compared = true;
    k->differ =
        replay_compare(&k->one.replay, k->r->from, two ? NULL : k->after,
                       k->two.dev, k->list, MAX_SHOWN, &e->sink);
    return k->differ != SIZE_MAX || fail_sink(k);
}

static bool
ended_as_recorded(const struct run *k)
{
    const struct recording_result *was = &k->memory->result;
    const struct ventus_dev_result *is = &k->one.launched.result;
    if (!has_expectation(k))
        return k->one.ok;
    return was->ok == k->one.ok &&
           (was->ok ||
            (strcmp(was->fault, is->fault.kind ? is->fault.kind : "") == 0 &&
             was->pc == is->fault.pc));
}

static const char *
outcome_text(const struct run *k)
{
    const struct recording_result *was = &k->memory->result;
    if (was_refused(k, &k->one))
        return has_expectation(k) && ended_as_recorded(k)
                   ? "refused by the machine, as recorded"
                   : "refused by the machine, nothing has run";
    if (!has_expectation(k))
        return k->one.ok ? "ok" : "fault";
    if (ended_as_recorded(k))
        return k->one.ok ? "ok, as recorded" : "the recorded fault";
    return k->one.ok ? "ok, but a fault is recorded"
           : was->ok ? "fault, but none is recorded"
                     : "a fault, but another one is recorded";
}

static void
print_differences(struct run *k)
{
    struct exec *e = &k->r->e;
    FILE *out = exec_text(e);
    const char *expected = k->two.dev ? "on the other machine" : "recorded";
    for (size_t i = 0; i < k->differ && i < MAX_SHOWN; i++) {
        const struct replay_difference *d = &k->list[i];
        fprintf(out,
                "  %s: byte %" PRIu64 " is 0x%02x, 0x%02x %s; %" PRIu64 " of "
                "%" PRIu64 " bytes differ\n",
                replay_name(&k->one.replay, &e->arena, d->piece), d->offset,
                d->found, d->expected, expected, d->count,
                d->piece->range.size);
    }
    if (k->differ > MAX_SHOWN)
        fprintf(out, "  and %zu more buffers\n", k->differ - MAX_SHOWN);
}

static void
print_text(struct run *k)
{
    const struct recording_launch *l = &k->memory->launch;
    FILE *out = exec_text(&k->r->e);
    fprintf(out, "launch %zu: %s: %s", k->number, l->kernel, outcome_text(k));
    if (k->compared)
        fprintf(out, "; memory %s %s",
                k->differ ? "differs from" : "is the same as",
                k->two.dev ? "on the cycle-level machine" : "recorded");
    fputc('\n', out);
    if (k->compared)
        print_differences(k);
}

static void
print_json(struct run *k)
{
    struct json j = { .out = stdout };
    const struct ventus_dev_result *is = &k->one.launched.result;
    json_object(&j, NULL);
    json_number(&j, "launch", k->number);
    json_string(&j, "kernel", k->memory->launch.kernel);
    json_bool(&j, "ok", k->one.ok);
    json_bool(&j, "as_recorded", ended_as_recorded(k));
    json_string(&j, "message", is->message);
    if (is->cycles)
        json_number(&j, "cycles", is->cycles);
    json_bool(&j, "compared", k->compared);
    json_array(&j, "differences");
    for (size_t i = 0; k->compared && i < k->differ && i < MAX_SHOWN; i++) {
        const struct replay_difference *d = &k->list[i];
        json_object(&j, NULL);
        json_string(&j, "buffer",
                    replay_name(&k->one.replay, &k->r->e.arena, d->piece));
        json_number(&j, "byte", d->offset);
        json_number(&j, "found", d->found);
        json_number(&j, "expected", d->expected);
        json_number(&j, "bytes", d->count);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
    putchar('\n');
}

static void
print_result(struct run *k)
{
    const struct exec *e = &k->r->e;
    if (e->json)
        print_json(k);
    else
        print_text(k);
    if (e->stats && !e->json)
        report_stats(exec_text(e), &k->one.launched.result,
                     (unsigned)ventus_dev_setting(k->one.dev, "num_thread"));
    if (e->hot && !e->json)
        report_hot(exec_text(e), &k->one.launched.result);
    if (!e->gdb)
        exec_tell_share(e, k->one.dev);
}

/* Delays the report until GDB has written everything: `ventus debug` closes standard
 * input when GDB ends, which is after the device is closed. */
static void
print_behind_gdb(struct run *k)
{
    char byte;
    close_machine(&k->one);
    while (strncmp(k->r->e.gdb, "fd:", 3) == 0 &&
           read(STDIN_FILENO, &byte, 1) > 0)
        continue;
    print_result(k);
}

static bool
run_and_compare(struct run *k)
{
    struct replaying *r = k->r;
    struct exec *e = &r->e;
    if (!recording_memory_read(k->memory, r->from, k->number, false, &e->sink))
        return fail_sink(k);
    if (!restore_memory(k, &k->one, false) || !run_launch(k, &k->one))
        return false;
    if (r->compare &&
        (!restore_memory(k, &k->two, true) || !run_launch(k, &k->two)))
        return false;
    if (!compare_machines(k))
        return false;
    if (!e->gdb)
        print_result(k);
    bool ok = k->one.ok && ended_as_recorded(k) && !k->differ &&
              (!r->compare || k->two.ok);
    ok = write_outputs(k) && ok;
    ok = exec_record_end(k->one.dev) && ok;
    ok = exec_check_end(e, k->one.dev) && ok;
    if (e->gdb)
        print_behind_gdb(k);
    return ok;
}

int
replay_run(struct replaying *r, size_t i)
{
    struct run k = {
        .r = r, .number = i, .memory = &r->memory, .after = &r->after
    };
    bool ok = run_and_compare(&k);
    close_machine(&k.one);
    close_machine(&k.two);
    ventus_dev_profile_free(k.one.launched.profile);
    ventus_dev_profile_free(k.two.launched.profile);
    return exec_status(ok);
}
