/* SPDX-License-Identifier: Apache-2.0 */
/* The row of the example engine, as src/dev/engine/engine_table.h has the others. */
/* clang-format off */
ENGINE(native, 0, "calls functions of the host")
