/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep/snakemake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/map.h"

/* Appends a Python string literal. */
static void
put_string(struct buf *b, const char *text)
{
    buf_u8(b, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_u8(b, '\\');
        buf_u8(b, (uint8_t)*text);
    }
    buf_u8(b, '"');
}

static void
put_setting(struct buf *b, const char *name, const char *value)
{
    buf_printf(b, "%s = ", name);
    put_string(b, value);
    buf_u8(b, '\n');
}

/* The head of the workflow.  Snakemake removes the outputs of a job that it starts, so
 * its outputs are a mark for each point, and the records stay with `ventus sweep`,
 * which runs no point that has one. */
static const char head[] =
    "# Written by `ventus sweep --snakemake`; run it in this folder:\n"
    "#   snakemake --cores all            on this machine\n"
    "#   snakemake --profile slurm        by Slurm\n"
    "# After an interrupt run the same command to continue.\n"
    "from shlex import quote\n\n";

static const char rules[] =
    "\nCALL = f\"{quote(VENTUS)} sweep {quote(PLAN)}\"\n"
    "\n"
    "localrules: all\n"
    "\n"
    "wildcard_constraints: key=\"[0-9a-f]{64}\"\n"
    "\n"
    "rule all:\n"
    "    input: expand(\"done/{key}\", key=KEYS)\n"
    "    output: touch(\"done/all\")\n"
    "    params: call=CALL\n"
    "    shell: \"{params.call} --collect\"\n"
    "\n"
    "rule point:\n"
    "    output: touch(\"done/{key}\")\n"
    "    params: call=CALL\n"
    "    shell: \"{params.call} --point {wildcards.key}\"\n";

static const char slurm[] =
    "# A profile of Snakemake: jobs by Slurm.  Add a partition, an account "
    "and\n"
    "# limits to `cluster` as yours asks for them.\n"
    "cluster: \"sbatch --parsable --job-name=ventus-{rule} --ntasks=1"
    " --cpus-per-task=1 --output=slurm-%j.log\"\n"
    "cluster-status: \"slurm/status.sh\"\n"
    "cluster-cancel: scancel\n"
    "jobs: 500\n"
    "local-cores: 1\n"
    "latency-wait: 60\n"
    "restart-times: 2\n"
    "rerun-triggers: mtime\n"
    "rerun-incomplete: true\n"
    "keep-going: true\n"
    "max-jobs-per-second: 20\n"
    "max-status-checks-per-second: 5\n";

static const char status[] =
    "#!/bin/sh\n"
    "# What Snakemake asks of a job of Slurm: running, success or failed.\n"
    "state=$(scontrol show job \"$1\" 2>/dev/null |\n"
    "    sed -n 's/.*JobState=\\([A-Z_]*\\).*/\\1/p')\n"
    "[ -n \"$state\" ] || state=$(sacct -n -X -o State -j \"$1\" 2>/dev/null "
    "|\n"
    "    sed 's/[^A-Z_].*//;q')\n"
    "case $state in\n"
    "COMPLETED) echo success ;;\n"
    "PENDING | RUNNING | CONFIGURING | COMPLETING | SUSPENDED | REQUEUED | "
    "'')\n"
    "    echo running ;;\n"
    "*) echo failed ;;\n"
    "esac\n";

static bool
write_text(struct arena *a, const char *folder, const char *name,
           const void *text, size_t size, struct diag_sink *sink)
{
    return file_write(arena_printf(a, "%s/%s", folder, name), text, size, sink);
}

static bool
make_folder(const char *path, struct diag_sink *sink)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = path },
                "cannot make the folder: %s", strerror(errno));
    return false;
}

static void
put_keys(struct arena *a, struct buf *b, const struct sweep_points *points)
{
    struct map seen = { 0 };
    buf_printf(b, "KEYS = [\n");
    for (size_t i = 0; i < points->n; i++) {
        const char *key = points->at[i].key;
        void **known = map_put(a, &seen, key, strlen(key));
        if (!*known)
            buf_printf(b, "    \"%s\",\n", key);
        *known = b;
    }
    buf_printf(b, "]\n");
}

bool
snakemake_write(struct arena *a, const char *folder, const char *program,
                const struct sweep_plan *plan,
                const struct sweep_points *points, struct diag_sink *sink)
{
    struct buf b = { 0 };
    const char *profile = arena_printf(a, "%s/slurm", folder);
    const char *script = arena_printf(a, "%s/status.sh", profile);
    char *file = realpath(plan->file, NULL);
    buf_put(&b, head, sizeof head - 1);
    put_setting(&b, "VENTUS", program);
    put_setting(&b, "PLAN", file ? file : plan->file);
    put_keys(a, &b, points);
    buf_put(&b, rules, sizeof rules - 1);
    bool ok =
        make_folder(folder, sink) && make_folder(profile, sink) &&
        write_text(a, folder, "Snakefile", b.at, b.n, sink) &&
        write_text(a, profile, "config.yaml", slurm, sizeof slurm - 1, sink) &&
        file_write(script, status, sizeof status - 1, sink);
    if (ok && chmod(script, 0777) != 0) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = script },
                    "cannot be made a program: %s", strerror(errno));
        ok = false;
    }
    free(file);
    buf_free(&b);
    return ok;
}
