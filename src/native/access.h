/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/native.h"

/* Functions for translated code. */
extern const struct native_calls native_access;
