/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

struct sm;

void
issue_check(struct sm *s);

void
issue_cycle(struct sm *s);
