/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/* A launch ended in the middle: what locks its threads held are free again. */
void
program_free_locks(struct ventus_dev_program *p);

/* The machine's lock must be held. */
void
program_remove(struct ventus_dev_program *p);
