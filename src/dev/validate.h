/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/ticket.h"

/* Fills the ticket from the launch, or says what is wrong with it. */
bool
validate_launch(struct ventus_dev_ticket *t,
                const struct ventus_dev_launch *launch);

/* Bytes of a pointer in the argument buffer (docs/abi.md). */
uint32_t
launch_pointer_B(const struct ventus_dev_ticket *t,
                 enum ventus_dev_arg_kind kind);
