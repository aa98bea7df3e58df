/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

uint64_t
program_root(const struct ventus_dev_program *p);

struct ventus_dev_context *
program_context(const struct ventus_dev_program *p);

uint64_t
program_entry(const struct ventus_dev_program *p);

/* Start code for launches with lanes that have no work-item, on a machine that runs them;
 * 0: the program has other start code than lib/start.S, or the machine masks them. */
uint64_t
program_masked_entry(const struct ventus_dev_program *p);

const char *
program_name(const struct ventus_dev_program *p);

/* Address and size of the program's symbol __ventus_nowhere, memory that generic accesses
 * touch where the address is private and whose contents are never read; 0 bytes: it has
 * none. */
uint64_t
program_nowhere(const struct ventus_dev_program *p, uint64_t *size_B);

struct ventus_dev_program *
program_next(const struct ventus_dev_program *p);

const struct elf *
program_elf(const struct ventus_dev_program *p);

const struct dwarf_lines *
program_lines(const struct ventus_dev_program *p);

/* The addresses of the program that have memory. */
const struct segments *
program_segments(const struct ventus_dev_program *p);

/* The physical address of an address of code. */
uint64_t
program_physical(const struct ventus_dev_program *p, uint64_t address);

/* The instructions of the program whose accesses to padding were reported already. */
struct told *
program_told(struct ventus_dev_program *p);

/* Section .ventus.printf (docs/printf.md); NULL: it prints nothing. */
const struct elf_section *
program_formats(const struct ventus_dev_program *p);
