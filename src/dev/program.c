/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of a program that other files read. */
#include "dev/program.h"

#include <assert.h>

#include "dev/program_state.h"

uint64_t
program_nowhere(const struct ventus_dev_program *p, uint64_t *size_B)
{
    *size_B = p->nowhere ? p->nowhere->size : 0;
    return p->nowhere ? p->nowhere->value : 0;
}

struct told *
program_told(struct ventus_dev_program *p)
{
    return &p->told;
}

struct ventus_dev_context *
program_context(const struct ventus_dev_program *p)
{
    return p->context;
}

struct ventus_dev_program *
program_next(const struct ventus_dev_program *p)
{
    return p->next;
}

uint64_t
program_root(const struct ventus_dev_program *p)
{
    return paging_ptbr(&p->root);
}

uint64_t
program_entry(const struct ventus_dev_program *p)
{
    return p->elf.entry;
}

uint64_t
program_masked_entry(const struct ventus_dev_program *p)
{
    return p->masked;
}

const struct elf *
program_elf(const struct ventus_dev_program *p)
{
    return &p->elf;
}

const struct dwarf_lines *
program_lines(const struct ventus_dev_program *p)
{
    return &p->lines;
}

const struct segments *
program_segments(const struct ventus_dev_program *p)
{
    return &p->segments;
}

const struct elf_section *
program_formats(const struct ventus_dev_program *p)
{
    const struct elf_section *s = elf_find_section(&p->elf, ".ventus.printf");
    return s && s->contents ? s : NULL; /* none: its type is "no bits" */
}

const char *
program_name(const struct ventus_dev_program *p)
{
    return p->name;
}

uint64_t
program_physical(const struct ventus_dev_program *p, uint64_t address)
{
    assert(address >= DEV_CODE && address - DEV_CODE < DEV_CODE_SIZE);
    return DEV_CODE_BASE + p->slot * DEV_CODE_SIZE + (address - DEV_CODE);
}
