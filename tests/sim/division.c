/* SPDX-License-Identifier: Apache-2.0 */
/* Divisions of many numbers by one, against the meanings of isa/sem.h. */
#include "sim/divide.h"

#include "isa/sem.h"
#include "machine.h"

enum { LANES = 32, A = 2, D = 6 };

typedef uint32_t
int2(uint32_t a, uint32_t b);

static const struct row {
    enum int_kind kind;
    enum ventus_isa_op op;
    int2 *meaning;
} rows[] = {
    { INT_div, VENTUS_ISA_VDIV_VX, sem_div_32 },
    { INT_divu, VENTUS_ISA_VDIVU_VX, sem_divu_32 },
    { INT_rem, VENTUS_ISA_VREM_VX, sem_rem_32 },
    { INT_remu, VENTUS_ISA_VREMU_VX, sem_remu_32 },
};
enum { ROWS = sizeof rows / sizeof *rows };

static uint64_t state = 1;

/* Numbers of any length; those near a power of two are a third. */
static uint32_t
operand(void)
{
    state =
        state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t r = (uint32_t)(state >> 32), shift = (uint32_t)(state >> 20) % 32;
    if ((state >> 10) % 3 == 0)
        return (UINT32_C(1) << shift) + r % 5 - 2;
    return r >> shift;
}

static bool
is_right(const struct row *row, uint32_t a, uint32_t b)
{
    struct divisor by = divisor_of(row->kind, b);
    if (CHECK_EQ(divisor_apply(row->kind, &by, a), row->meaning(a, b)))
        return true;
    printf("  %s of %08x, %08x\n", ventus_isa_info[row->op].name, a, b);
    return false;
}

TEST(every_pair_near_powers_of_two)
{
    uint32_t corner[32 * 5 + 1], n = 0;
    for (unsigned i = 0; i < 32; i++)
        for (uint32_t k = 0; k < 5; k++)
            corner[n++] = (UINT32_C(1) << i) + k - 2;
    corner[n++] = UINT32_C(0xaaaaaaab);
    for (unsigned r = 0; r < ROWS; r++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < n; k++)
                if (!is_right(&rows[r], corner[i], corner[k]))
                    return;
}

TEST(random_pairs)
{
    for (unsigned i = 0; i < 200000; i++)
        if (!is_right(&rows[i % ROWS], operand(), operand()))
            return;
}

/* The errors of a reciprocal are largest at the ends of a quotient. */
TEST(ends_of_quotients)
{
    for (unsigned i = 0; i < 100000; i++) {
        uint32_t b = operand(), q = operand();
        for (uint32_t k = 0; k < 3; k++)
            if (!is_right(&rows[i % ROWS], q * b + k - 1, b))
                return;
    }
}

static void
try_row(const struct row *row, uint32_t b, bool masked)
{
    uint32_t a[LANES], d[LANES], mask[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        a[i] = operand();
        d[i] = operand();
        mask[i] = operand() & 1;
    }
    struct machine *m =
        machine(&(struct ventus_sim_config){ .num_thread = LANES });
    put_vector(m, A, a, 0);
    put_vector(m, D, d, 256);
    put_vector(m, 0, mask, 512);
    put_li(m, 8, b);
    struct ventus_isa_insn in = ventus_isa_vdiv_vx(D, A, 8, !masked);
    in.op = row->op;
    put(m, in);
    run(m);
    for (unsigned i = 0; i < LANES; i++) {
        bool on = !masked || mask[i];
        CHECK_EQ(v(m, D, i), on ? row->meaning(a[i], b) : d[i]);
    }
    machine_free(m);
}

TEST(instructions_with_and_without_a_mask)
{
    static const uint32_t divisors[] = { 0, 1, 2, 7, 0x80000000, UINT32_MAX };
    for (unsigned r = 0; r < ROWS; r++)
        for (size_t i = 0; i < sizeof divisors / sizeof *divisors; i++)
            for (int masked = 0; masked < 2; masked++)
                try_row(&rows[r], divisors[i], masked);
}

TEST_MAIN
