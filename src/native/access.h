/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sim/native.h"

/* What translated code calls. */
extern const struct native_calls native_access;
