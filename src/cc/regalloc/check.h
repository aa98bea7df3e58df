/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/cc.h"

/* An error if registers do not hold the values that instructions use; else NULL. */
const char *
cc_check_registers(struct cc *c);
