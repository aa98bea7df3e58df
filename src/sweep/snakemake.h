/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sweep/plan.h"

/* Writes a workflow for Snakemake into a folder: Snakefile, a job for each point, and
 * slurm/config.yaml, a profile that runs the jobs by Slurm.  `program` is the path of
 * `ventus`.  False: a file could not be written, which is reported. */
bool
snakemake_write(struct arena *a, const char *folder, const char *program,
                const struct sweep_plan *plan,
                const struct sweep_points *points, struct diag_sink *sink);
