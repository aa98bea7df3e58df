/* SPDX-License-Identifier: Apache-2.0 */
/* The list of passes.  Each is timed, its IR can be dumped, and is validated. */
#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "cc/call.h"
#include "cc/cc.h"
#include "cc/passes.h"
#include "cc/pipeline.h"
#include "cc/regalloc/check.h"
#include "cc/warn.h"

struct pass {
    const char *name;
    void (*run)(struct cc *c);
    enum ir_form form; /* of the IR that it leaves */
    unsigned off;      /* enum cc_off that skips the pass */
};

static const struct pass passes[] = {
    { "progress", cc_progress, IR_FORM_SCALAR, 0 },
    { "fold", cc_fold, IR_FORM_SCALAR, CC_NO_FOLD },
    { "cse", cc_cse, IR_FORM_SCALAR, CC_NO_CSE },
    { "licm", cc_licm, IR_FORM_SCALAR, CC_NO_LICM },
    { "strength", cc_strength, IR_FORM_SCALAR, CC_NO_STRENGTH },
    { "dce", cc_dce, IR_FORM_SCALAR, CC_NO_DCE },
    { "divergence", cc_divergence, IR_FORM_SCALAR, 0 },
    { "lftr", cc_lftr, IR_FORM_SCALAR, CC_NO_STRENGTH },
    { "warn", cc_warn, IR_FORM_SCALAR, 0 },
    { "lower-divergence", cc_lower_divergence, IR_FORM_VECTOR, 0 },
    { "widening", cc_widening, IR_FORM_VECTOR, CC_NO_FOLD },
    { "immediate", cc_immediate, IR_FORM_VECTOR, CC_NO_FOLD },
    { "licm2", cc_licm, IR_FORM_VECTOR, CC_NO_LICM },
    { "cse2", cc_cse, IR_FORM_VECTOR, CC_NO_CSE },
    { "dce2", cc_dce, IR_FORM_VECTOR, CC_NO_DCE },
    { "source-modifiers", cc_source_modifiers, IR_FORM_VECTOR, CC_NO_FOLD },
    { "sink", cc_sink, IR_FORM_VECTOR, 0 },
    { "combine", cc_combine, IR_FORM_VECTOR, CC_NO_COMBINE },
    { "addressing", cc_addressing, IR_FORM_VECTOR, CC_NO_ADDRESSING },
    { "sched", cc_sched, IR_FORM_VECTOR, CC_NO_SCHED },
    { "out-of-ssa", cc_out_of_ssa, IR_FORM_OUT_OF_SSA, 0 },
    { "allocate", cc_allocate, IR_FORM_ALLOCATED, 0 },
    { "vsetvli", cc_vsetvli, IR_FORM_ALLOCATED, 0 },
};

/* N_EARLY: up to divergence */
enum { N_PASSES = sizeof passes / sizeof passes[0], N_EARLY = 7 };

const struct cc_optimisation cc_optimisations[] = {
    { "fold", CC_NO_FOLD,
      "folds constants, addresses, compares into branches" },
    { "cse", CC_NO_CSE, "common subexpression elimination" },
    { "dce", CC_NO_DCE, "dead code elimination" },
    { "uniform", CC_NO_UNIFORM, "scalar loads for uniform addresses" },
    { "sched", CC_NO_SCHED, "instruction scheduling" },
    { "coalesce", CC_NO_COALESCE, "register coalescing of copies" },
    { "combine", CC_NO_COMBINE, "loads and stores of several words" },
    { "addressing", CC_NO_ADDRESSING,
      "accesses that say base and offset or stride" },
    { "layout", CC_NO_LAYOUT, "loop rotation in the block layout" },
    { "licm", CC_NO_LICM, "loop-invariant code motion" },
    { "strength", CC_NO_STRENGTH,
      "strength reduction, linear-function test replacement" },
    { "rpc", CC_NO_RPC, "one setrpc for several branches" },
    { "call", CC_NO_CALL, "calls of large functions instead of inlining" },
    { NULL, 0, NULL },
};

unsigned
cc_off_of_level(unsigned level)
{
    switch (level) {
    case 0: /* vectors for all values that may differ take more time than they save */
        return CC_NO_ALL & ~CC_NO_UNIFORM;
    case 1: /* the optimisations of loops take time */
        return CC_NO_SCHED | CC_NO_STRENGTH | CC_NO_LICM;
    default:
        return 0;
    }
}

const char *
cc_pass_name(unsigned i)
{
    return i < N_PASSES ? passes[i].name : NULL;
}

static void
dump(const struct cc *c, const char *after)
{
    const struct cc_options *o = c->options;
    if (!o->dump || (o->only && strcmp(o->only, c->f->name) != 0))
        return;
    if (strcmp(o->dump, "all") != 0 && strcmp(o->dump, after) != 0)
        return;
    FILE *out = o->dump_to ? o->dump_to : stderr;
    fprintf(out, "# after %s\n", after);
    ir_print(c->f, out);
}

static bool
report_bug(struct cc *c, const char *pass, const char *error)
{
    diag_report(c->sink, DIAG_ERROR, (struct diag_at){ 0 },
                "compiler bug after pass '%s': %s", pass, error);
    return false;
}

static enum ir_form
form_before(const struct pass *p)
{
    assert(p >= passes && p < passes + N_PASSES);
    return p == passes ? IR_FORM_SCALAR : p[-1].form;
}

static bool
run_pass(struct cc *c, const struct pass *p)
{
    if (c->options->off & p->off)
        return true;
    assert(c->f->form == form_before(p));
    p->run(c);
    c->f->form = p->form;
    dump(c, p->name);
    if (c->sink->errors)
        return false;
    const char *error = ir_validate(c->f, p->form);
    if (!error && p->run == cc_allocate)
        error = cc_check_registers(c);
    return error ? report_bug(c, p->name, error) : true;
}

void
cc_count_time(struct cc_module *m, const char *name, double ms)
{
    if (!m->stats)
        return;
    size_t i = 0;
    while (i < m->stats->passes.n &&
           strcmp(m->stats->passes.at[i].name, name) != 0)
        i++;
    if (i == m->stats->passes.n)
        vec_push(m->arena, &m->stats->passes,
                 ((struct cc_pass_stats){ name, 0, 0 }));
    assert(i < m->stats->passes.n);
    m->stats->passes.at[i].runs++;
    m->stats->passes.at[i].ms += ms;
}

static bool
run_timed(struct cc *c, struct cc_module *m, const struct pass *p)
{
    double start = clock_now_ms();
    if (!run_pass(c, p))
        return false;
    cc_count_time(m, p->name, clock_now_ms() - start);
    return true;
}

/* Runs the passes up to the divergence analysis. */
static bool
begin_kernel(struct cc_module *m, struct cc_kernel *k)
{
    struct cc c = { k->func, m->options, m->sink, &k->stats, m };
    assert(!c.f->is_external && "a function of another object has no blocks");
    cc_take_arguments(c.f);
    const char *error = ir_validate(c.f, IR_FORM_SCALAR);
    dump(&c, "translate");
    if (error)
        return report_bug(&c, "translate", error);
    for (unsigned i = 0; i < N_EARLY; i++)
        if (!run_timed(&c, m, &passes[i]))
            return false;
    cc_pass_arguments(c.f);
    return true;
}

static bool
finish_kernel(struct cc_module *m, struct cc_kernel *k)
{
    struct cc c = { k->func, m->options, m->sink, &k->stats, m };
    assert(c.f->form == passes[N_EARLY - 1].form &&
           "begin_kernel was called first");
    for (unsigned i = N_EARLY; i < N_PASSES; i++)
        if (!run_timed(&c, m, &passes[i]))
            return false;
    if (!c.f->is_function)
        cc_warn_private(&c);
    return true;
}

/*
 * Functions begin after their callers, which know the arguments, and are finished before
 * them, which must know the registers that they write.
 */
bool
cc_compile_kernels(struct cc_module *m)
{
    bool functions = m->kernels.n && m->kernels.at[0].func->is_function;
    for (size_t i = functions ? m->kernels.n : 0; i-- > 0;)
        if (!begin_kernel(m, &m->kernels.at[i]))
            return false;
    for (size_t i = 0; i < m->kernels.n; i++)
        if ((!functions && !begin_kernel(m, &m->kernels.at[i])) ||
            !finish_kernel(m, &m->kernels.at[i]))
            return false;
    return true;
}

bool
cc_run_pass(const char *name, struct ir_func *f,
            const struct cc_options *options, struct diag_sink *sink)
{
    struct cc_kernel_stats stats = { 0 };
    struct cc c = { f, options, sink, &stats, NULL };
    for (unsigned i = 0; i < N_PASSES; i++)
        if (strcmp(passes[i].name, name) == 0) {
            f->form = form_before(&passes[i]);
            return run_pass(&c, &passes[i]);
        }
    return false;
}
