/* SPDX-License-Identifier: Apache-2.0 */
/* Traces and reports of `ventus exec`. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "dev/findings/sarif.h"
#include "dev/spec.h"
#include "exec.h"

void
exec_issue(void *ctx, uint64_t cycle, unsigned sm, unsigned warp, uint64_t pc,
           uint32_t word)
{
    fprintf(ctx, "I %" PRIu64 " %u %u %08" PRIx64 " %08" PRIx32 "\n", cycle, sm,
            warp, pc, word);
}

bool
exec_record(struct exec *e, struct ventus_dev *dev)
{
    struct ventus_dev_record *r = &e->record;
    bool any = r->trace || r->konata || r->events || r->report;
    spec_bound_trace(r);
    if (any && !ventus_dev_record(dev, r)) {
        exec_fail();
        return false;
    }
    return true;
}

bool
exec_record_end(struct ventus_dev *dev)
{
    if (!dev || ventus_dev_record_end(dev))
        return true;
    exec_fail();
    return false;
}

bool
exec_check(struct exec *e, struct ventus_dev *dev)
{
    e->check.text = stderr;
    return !e->checked || ventus_dev_check(dev, &e->check);
}

bool
exec_may_check(const struct exec *e)
{
    struct ventus_dev_check check = e->check;
    if (!e->checked && !e->gdb)
        return true;
    struct ventus_dev *d = ventus_dev_open(&(struct ventus_dev_options){
        .config = e->device, .set = e->set.at, .n_set = e->set.n });
    bool ok = d && (!e->checked || ventus_dev_check(d, &check));
    if (!ok)
        exec_fail();
    else if (e->gdb && !ventus_dev_can(d, VENTUS_DEV_SANITIZES)) {
        fprintf(stderr,
                "%s: error: --gdb needs the functional machine (--device)\n",
                exec_name);
        ok = false;
    }
    ventus_dev_close(d);
    return ok;
}

typedef bool
write_fn(struct ventus_dev *const *device, unsigned n, FILE *out);

/* Writes findings, unless the path is NULL.  False: an error, which is reported. */
static bool
write_findings(struct ventus_dev *dev, const char *path, write_fn *write)
{
    struct output o = { .is_open = false };
    FILE *out = path ? output_stream(&o, path) : NULL;
    bool ok = !path || (out && write(&dev, 1, out));
    if (out && !ok)
        exec_fail();
    if ((path && !out) || !output_close(&o, ok)) {
        fprintf(stderr, "%s: error: %s: %s\n", exec_name, path,
                strerror(errno));
        ok = false;
    }
    return ok;
}

bool
exec_check_end(const struct exec *e, struct ventus_dev *dev)
{
    if (!e->checked || !dev)
        return true;
    bool ok = ventus_dev_check_summary(dev, stderr) || exec_fail() == 0;
    ok = write_findings(dev, e->check_json, ventus_dev_check_json) && ok;
    ok = write_findings(dev, e->check_sarif, sarif_write) && ok;
    return ok && !ventus_dev_check_found(dev, NULL);
}

bool
exec_recorder(struct exec *e, struct ventus_dev *dev)
{
    const struct recorder_options *o = &e->recording;
    if (!o->path && !o->on_fault)
        return true;
    e->recorder = recorder_open(o);
    return e->recorder && recorder_add(e->recorder, dev);
}

bool
exec_recorder_end(struct exec *e)
{
    struct recorder *r = e->recorder;
    e->recorder = NULL;
    if (recorder_close(r))
        return true;
    exec_fail();
    return false;
}
