/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Replaces the switches of functions that may call functions of sub-groups: lanes that go to
 * one block by different labels come there together. */
void
front_join_labels(struct front_build *b);

/* Give the compares that lower-switch makes the lines of the switches: before and
 * after it. */
void
front_mark_switches(struct front_build *b);

void
front_settle_switches(struct front_build *b);
