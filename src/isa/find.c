/* SPDX-License-Identifier: Apache-2.0 */
/* Look-ups between names and rows, registers and CSRs. */
#include <ventus/isa.h>

#include <assert.h>
#include <string.h>

static bool
same(const char *name, const char *text, size_t length)
{
    return strncmp(name, text, length) == 0 && name[length] == 0;
}

enum ventus_isa_op
ventus_isa_find(enum ventus_isa_version version, const char *name,
                size_t length)
{
    for (unsigned op = 1; op < VENTUS_ISA_OP_COUNT; op++)
        if (ventus_isa_info[op].versions & version &&
            same(ventus_isa_info[op].name, name, length))
            return (enum ventus_isa_op)op;
    return VENTUS_ISA_NONE;
}

const struct ventus_isa_field *
ventus_isa_slot_field(unsigned op, enum ventus_isa_slot slot)
{
    assert(op < VENTUS_ISA_OP_COUNT);
    const struct ventus_isa_format_info *f =
        &ventus_isa_formats[ventus_isa_info[op].format];
    for (unsigned i = 0; i < f->fields; i++)
        if (ventus_isa_fields[f->field[i]].member == slot)
            return &ventus_isa_fields[f->field[i]];
    return NULL;
}

const struct ventus_isa_csr *
ventus_isa_csr_by_number(unsigned number)
{
    for (unsigned i = 0; i < VENTUS_ISA_CSR_COUNT; i++)
        if (ventus_isa_csrs[i].number == number)
            return &ventus_isa_csrs[i];
    return NULL;
}

const struct ventus_isa_csr *
ventus_isa_csr_by_name(const char *name, size_t length)
{
    for (unsigned i = 0; i < VENTUS_ISA_CSR_COUNT; i++)
        if (same(ventus_isa_csrs[i].name, name, length))
            return &ventus_isa_csrs[i];
    return NULL;
}

const char *
ventus_isa_abi_name(unsigned xreg)
{
    static const char *const names[] = {
        "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
        "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
        "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
    };
    return xreg < 32 ? names[xreg] : NULL;
}
