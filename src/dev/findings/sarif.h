/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdio.h>

#include <ventus/dev.h>

/* The findings of n devices as SARIF 2.1.0.  False: not complete. */
bool
sarif_write(struct ventus_dev *const *device, unsigned n, FILE *out);
