/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct model_op;

/* In the order in which they write results back. */
enum unit_queue {
    Q_SALU,
    Q_VALU,
    Q_FPU,
    Q_LSU,
    Q_CSR,
    Q_SFU,
    Q_MUL,
    Q_TENSOR,
    QUEUES
};

/* The mechanism that starts an instruction. */
enum unit_kind {
    UNIT_PIPELINED,
    UNIT_SCALAR,
    UNIT_LSU,
    UNIT_SFU,
    UNIT_SIMT,
    UNIT_CONTROL
};

/* Passes that a vector of a warp takes through a unit. */
unsigned
unit_class_passes(const struct ventus_model_config *config, unsigned lanes);

/* Where an instruction starts and how long that takes, on this machine. */
void
unit_class_set(struct model_op *o, const struct ventus_model_config *config,
               unsigned lanes);
