/* SPDX-License-Identifier: Apache-2.0 */
/* Control and status registers. */
#include "machine.h"

static uint32_t
csr_of(unsigned csr, unsigned warps, unsigned id)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    m->launch = (struct ventus_sim_launch){
        .pc = CODE,
        .grid = { 3, 2, 2 },
        .warps = warps,
        .knl = 0x9000c000,
        .pds_base = 0x90004000,
        .pds_size_B = 16,
    };
    put(m, ventus_isa_csrrs(5, csr, 0));
    run(m);
    /* The last workgroup: (2,1,1), number 11. */
    uint32_t value = warp(m, id)->x[5];
    machine_free(m);
    return value;
}

TEST(who_am_i)
{
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_TID, 4, 3), 24);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_NUMW, 4, 0), 4);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_NUMT, 4, 0), 8);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_KNL, 1, 0), 0x9000c000);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_WGID, 1, 0), 11);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_WID, 4, 2), 2);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_LDS, 1, 0), 0x70000000);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_PDS, 2, 0), 0x90004000 + 11 * 2 * 8 * 16);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_GDX, 1, 0), 2);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_GDY, 1, 0), 1);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_GDZ, 1, 0), 1);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_RPC, 1, 0), 0);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_VL, 1, 0), 8);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_VLENB, 1, 0), 32);
    CHECK_EQ(csr_of(VENTUS_ISA_CSR_MHARTID, 2, 1), 1);
}

TEST(common_pds)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .common_pds = true });
    m->launch.grid[0] = 2;
    m->launch.pds_base = 0x90004000;
    m->launch.pds_size_B = 16;
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_PDS, 0));
    run(m);
    CHECK_EQ(x(m, 5), 0x90004000);
    machine_free(m);
}

TEST(read_write_set_clear)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_addi(5, 0, 0x5c));
    put(m, ventus_isa_csrrw(6, VENTUS_ISA_CSR_MTVEC, 5));
    put(m, ventus_isa_csrrwi(7, VENTUS_ISA_CSR_MTVEC, 3));
    put(m, ventus_isa_csrrs(8, VENTUS_ISA_CSR_MTVEC, 5));
    put(m, ventus_isa_csrrsi(9, VENTUS_ISA_CSR_MTVEC, 0x1f));
    put(m, ventus_isa_csrrc(10, VENTUS_ISA_CSR_MTVEC, 5));
    put(m, ventus_isa_csrrci(11, VENTUS_ISA_CSR_MTVEC, 1));
    put(m, ventus_isa_csrrs(12, VENTUS_ISA_CSR_MTVEC, 0));
    run(m);
    CHECK_EQ(x(m, 6), 0);
    CHECK_EQ(x(m, 7), 0x5c);
    CHECK_EQ(x(m, 8), 3);
    CHECK_EQ(x(m, 9), 0x5f);
    CHECK_EQ(x(m, 10), 0x5f);
    CHECK_EQ(x(m, 11), 3);
    CHECK_EQ(x(m, 12), 2);
    machine_free(m);
}

/* What start code does. */
TEST(mstatus_and_vtype)
{
    struct machine *m = machine(&(struct ventus_sim_config){ .num_thread = 8 });
    put(m, ventus_isa_addi(29, 0, 32));
    put(m, ventus_isa_vsetvli(29, 29, 0xd0));
    put(m, ventus_isa_lui(28, 2));
    put(m, ventus_isa_csrrs(28, VENTUS_ISA_CSR_MSTATUS, 28));
    put(m, ventus_isa_csrrs(27, VENTUS_ISA_CSR_MSTATUS, 0));
    put(m, ventus_isa_csrrs(26, VENTUS_ISA_CSR_VTYPE, 0));
    run(m);
    CHECK_EQ(x(m, 29), 8);
    CHECK_EQ(x(m, 28), 0x80000600); /* VS dirty */
    CHECK_EQ(x(m, 27), 0x80006600); /* and FS, as upstream reads it */
    CHECK_EQ(x(m, 26), 0xd0);
    machine_free(m);
}

TEST(fcsr_is_frm_and_fflags)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_addi(5, 0, 0x7b));
    put(m, ventus_isa_csrrw(0, VENTUS_ISA_CSR_FCSR, 5));
    put(m, ventus_isa_csrrs(6, VENTUS_ISA_CSR_FRM, 0));
    put(m, ventus_isa_csrrs(7, VENTUS_ISA_CSR_FFLAGS, 0));
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, 1));
    put(m, ventus_isa_csrrs(8, VENTUS_ISA_CSR_FCSR, 0));
    run(m);
    CHECK_EQ(x(m, 6), 3);
    CHECK_EQ(x(m, 7), 0x1b);
    CHECK_EQ(x(m, 8), 0x3b);
    machine_free(m);
}

TEST(instret_counts_this_warp)
{
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_INSTRET, 0));
    put(m, ventus_isa_vmv_v_i(40, 1)); /* with its prefix: one */
    put(m, ventus_isa_csrrs(6, VENTUS_ISA_CSR_INSTRET, 0));
    run(m);
    CHECK_EQ(x(m, 5), 0);
    CHECK_EQ(x(m, 6), 2);
    machine_free(m);
}

struct printed {
    unsigned calls;
    uint64_t group;
    uint32_t value;
};

static void
on_print(void *ctx, uint64_t group, unsigned id, uint32_t value)
{
    struct printed *p = ctx;
    (void)id;
    p->calls++;
    p->group = group;
    p->value = value;
}

TEST(print_calls_the_host)
{
    struct printed p = { 0 };
    struct ventus_sim_hooks hooks = { .ctx = &p, .print = on_print };
    struct machine *m = machine(&(struct ventus_sim_config){ 0 });
    m->launch.hooks = &hooks;
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_PRINT, 5));
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_PRINT, 0));
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_PRINT, 0));
    run(m);
    CHECK_EQ(p.calls, 1);
    CHECK_EQ(p.value, 5);
    CHECK_EQ(x(m, 5), 0);
    machine_free(m);
}

TEST_MAIN
