/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of fault: kind, place, message; the machine goes on after it. */
#include "clock.h"
#include "machine.h"
#include "sim/step.h"

/* Runs and expects a fault at the instruction that was put last but `behind`
 * others; then the same machine must run an empty program. */
static struct ventus_sim_fault
faults(struct machine *m, enum ventus_sim_fault_kind kind, unsigned behind)
{
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, kind);
    CHECK_EQ(m->fault.pc, here(m) - 4 * (behind + 1));
    struct ventus_sim_fault fault = m->fault;
    m->n = 0;
    run(m);
    machine_free(m);
    return fault;
}

static struct machine *
fresh(void)
{
    return machine(&(struct ventus_sim_config){ .num_thread = 8 });
}

TEST(illegal_word)
{
    struct machine *m = fresh();
    put_word(m, 0);
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    CHECK_STR(f.text, "illegal instruction: word 0x00000000 at pc 0x80000000, "
                      "workgroup 0 (0,0,0), warp 0");
    m = fresh();
    put_word(m, 0x00000073); /* ecall */
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
}

/* regpair exists in version 1 only, vlw12d.v in version 2. */
TEST(illegal_in_this_version)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .isa = VENTUS_ISA_V2 });
    put_word(m, ventus_isa_info[VENTUS_ISA_REGPAIR].match);
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    m = fresh();
    put_word(m, ventus_isa_info[VENTUS_ISA_ADDW].match);
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
}

TEST(illegal_registers)
{
    struct machine *m = fresh();
    put(m, ventus_isa_add(64, 5, 6));
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    m = machine(&(struct ventus_sim_config){ .isa = VENTUS_ISA_V2 });
    put_word(m, ventus_isa_info[VENTUS_ISA_PRE_M_128].match | 7u << 20);
    put_word(m, 0x00002ffb); /* vlw12.v v31, 0(v0): v255 and three more */
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
}

TEST(illegal_csr)
{
    struct machine *m = fresh();
    put(m, ventus_isa_csrrs(5, 0x123, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    CHECK(strstr(f.text, "there is no such CSR") != NULL);
    m = fresh();
    put(m, ventus_isa_csrrwi(5, VENTUS_ISA_CSR_TID, 1));
    f = faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    CHECK(strstr(f.text, "the CSR can only be read") != NULL);
    CHECK_EQ(f.in.op, VENTUS_ISA_CSRRWI);
}

TEST(illegal_vtype_and_rounding_mode)
{
    struct machine *m = fresh();
    put(m, ventus_isa_vsetvli(5, 0, 3 << 3)); /* e64 */
    put(m, ventus_isa_vadd_vi(1, 1, 1, 1));
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    m = fresh();
    put(m, ventus_isa_csrrwi(0, VENTUS_ISA_CSR_FRM, 5));
    put(m, ventus_isa_vfadd_vv(1, 1, 1, 1));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    CHECK(strstr(f.text, "no such rounding mode") != NULL);
    m = fresh();
    put(m, ventus_isa_fadd_s(5, 6, 7, 5));
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    m = fresh();
    put(m, ventus_isa_vsetvli(5, 0, 0)); /* e8: there is no such float */
    put(m, ventus_isa_vfadd_vv(1, 1, 1, 1));
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
    m = machine(&(struct ventus_sim_config){ .num_thread = 16 });
    put(m, ventus_isa_vftta_vv(1, 1, 1, 1));
    faults(m, VENTUS_SIM_FAULT_ILLEGAL, 0);
}

/* Lane 5 only. */
TEST(misaligned_lane)
{
    uint32_t at[8];
    for (uint32_t i = 0; i < 8; i++)
        at[i] = DATA + 64 * i + (i == 5 ? 2 : 0);
    struct machine *m = fresh();
    put_vector(m, 2, at, 0x1000);
    put(m, ventus_isa_vlw12_v(1, 2, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_MISALIGNED, 0);
    CHECK_EQ(f.lane, 5);
    CHECK_EQ(f.address, DATA + 64 * 5 + 2);
    CHECK_STR(f.text, "misaligned access to 0x90000142 at pc 0x8000000c "
                      "(vlw12.v v1, 0(v2)), workgroup 0 (0,0,0), warp 0, "
                      "lane 5");
}

TEST(misaligned_scalar_and_atomic)
{
    struct machine *m = fresh();
    put_li(m, 5, DATA + 1);
    put(m, ventus_isa_lh(6, 5, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_MISALIGNED, 0);
    CHECK_EQ(f.lane, -1);
    m = fresh();
    put_li(m, 5, DATA + 2);
    put(m, ventus_isa_sw(6, 5, 0));
    faults(m, VENTUS_SIM_FAULT_MISALIGNED, 0);
    m = fresh();
    put_li(m, 5, DATA + 2);
    put(m, ventus_isa_vmv_v_x(1, 5));
    put(m, ventus_isa_amoadd_w(2, 3, 1, 0));
    f = faults(m, VENTUS_SIM_FAULT_MISALIGNED, 0);
    CHECK_EQ(f.lane, 0);
}

TEST(misaligned_jump)
{
    struct machine *m = fresh();
    put_li(m, 5, CODE + 2);
    put(m, ventus_isa_jalr(1, 5, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_MISALIGNED, 0);
    CHECK_EQ(f.address, CODE + 2);
    m = fresh();
    put(m, ventus_isa_beq(0, 0, 6));
    faults(m, VENTUS_SIM_FAULT_MISALIGNED, 0);
}

/* With what is mapped around it, unit-stride into nothing. */
TEST(unmapped)
{
    struct machine *m = fresh();
    put_li(m, 5, DATA + DATA_SIZE - 16);
    put(m, ventus_isa_vle32_v(1, 5, 1));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_UNMAPPED, 0);
    CHECK_EQ(f.lane, 4);
    CHECK_EQ(f.address, DATA + DATA_SIZE);
    m = fresh();
    put(m, ventus_isa_sw(5, 0, 16));
    f = faults(m, VENTUS_SIM_FAULT_UNMAPPED, 0);
    CHECK_EQ(f.address, 16);
    m = fresh();
    put(m, ventus_isa_vlw12_v(1, 2, 0));
    f = faults(m, VENTUS_SIM_FAULT_UNMAPPED, 0);
    CHECK_EQ(f.lane, 0);
}

TEST(unmapped_code)
{
    struct machine *m = fresh();
    put(m, ventus_isa_jalr(0, 0, 64));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_UNMAPPED);
    CHECK_EQ(m->fault.pc, 64);
    CHECK_EQ(m->fault.in.op, VENTUS_ISA_NONE);
    CHECK(strstr(m->fault.text, "instruction fetch") != NULL);
    m->launch.pc = 0x4000;
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_UNMAPPED);
    CHECK_EQ(m->fault.pc, 0x4000);
    machine_free(m);
}

TEST(permissions)
{
    struct machine *m = fresh();
    CHECK(ventus_sim_map(m->sim, 0xa0000000, 4096, VENTUS_SIM_READ));
    put_li(m, 5, 0xa0000000);
    put(m, ventus_isa_lw(6, 5, 0));
    put(m, ventus_isa_sw(6, 5, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_PERMISSION, 0);
    CHECK_EQ(f.address, 0xa0000000);
    m = fresh();
    put_li(m, 5, DATA);
    put(m, ventus_isa_jalr(0, 5, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_PERMISSION);
    CHECK_EQ(m->fault.pc, DATA);
    /* Local memory holds no code. */
    m->n = 0;
    put_li(m, 5, 0x70000000);
    put(m, ventus_isa_jalr(0, 5, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_PERMISSION);
    machine_free(m);
}

/* Three splits in halves, two entries each, without a join. */
TEST(stack_overflow)
{
    struct machine *m = machine(
        &(struct ventus_sim_config){ .num_thread = 8, .stack_depth = 5 });
    put(m, ventus_isa_vid_v(1, 1));
    for (int half = 4; half; half /= 2) {
        put(m, ventus_isa_vmv_v_i(2, half));
        put(m, ventus_isa_vblt(1, 2, 4));
    }
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_STACK, 0);
    CHECK_STR(f.text, "SIMT stack overflow at pc 0x80000018 (vblt v1, v2, "
                      "pc + 4), workgroup 0 (0,0,0), warp 0");
}

TEST(endprg_while_diverged)
{
    struct machine *m = fresh();
    put(m, ventus_isa_vid_v(1, 1));
    put(m, ventus_isa_vmv_v_i(2, 3));
    put(m, ventus_isa_vblt(1, 2, 8));
    put(m, ventus_isa_endprg(0, 0, 0));
    put(m, ventus_isa_endprg(0, 0, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_ENDPRG, 0);
    CHECK_STR(f.text,
              "endprg while lanes wait on the SIMT stack at pc "
              "0x80000010 (endprg x0, x0, x0), workgroup 0 (0,0,0), warp 0");
}

static void
does_not_fit(struct ventus_sim_launch l, const char *what)
{
    struct machine *m =
        machine(&(struct ventus_sim_config){ .num_thread = 8,
                                             .num_warp = 4,
                                             .num_sgpr = 128,
                                             .num_vgpr = 512,
                                             .local_size_B = 8192 });
    m->launch = l;
    m->launch.pc = CODE;
    put(m, ventus_isa_endprg(0, 0, 0));
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_NO_FIT);
    if (!CHECK(strstr(m->fault.text, what) != NULL))
        printf("  %s\n", m->fault.text);
    m->launch = (struct ventus_sim_launch){ .pc = CODE };
    CHECK(launch(m));
    machine_free(m);
}

/* Registers count in steps of four. */
TEST(workgroup_that_fits_no_sm)
{
    does_not_fit((struct ventus_sim_launch){ .warps = 5, .sgpr = 4, .vgpr = 4 },
                 "5 warp slots, an SM has 4");
    does_not_fit(
        (struct ventus_sim_launch){ .warps = 4, .sgpr = 33, .vgpr = 4 },
        "144 sGPRs, an SM has 128");
    does_not_fit(
        (struct ventus_sim_launch){ .warps = 4, .sgpr = 4, .vgpr = 129 },
        "528 vGPRs, an SM has 512");
    does_not_fit((struct ventus_sim_launch){ .warps = 1, .local_size_B = 8193 },
                 "8193 bytes of local memory, an SM has 8192");
}

TEST(launch_that_makes_no_sense)
{
    struct machine *m = fresh();
    put(m, ventus_isa_endprg(0, 0, 0));
    m->launch.warps = 2;
    m->launch.threads = 17;
    CHECK(!launch(m));
    CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_LAUNCH);
    CHECK_STR(m->fault.text,
              "launch refused: 17 threads do not fill 2 warps of 8");
    m->launch.threads = 8;
    CHECK(!launch(m));
    m->launch.threads = 9;
    CHECK(launch(m));
    m->launch.pc = CODE + 2;
    CHECK(!launch(m));
    machine_free(m);
}

/* An infinite loop ends by the limit; a warp that waits makes it a deadlock. */
TEST(limits)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = 8, .max_instructions = 1000 });
    put(m, ventus_isa_jal(0, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_LIMIT, 0);
    CHECK(strstr(f.text, "max_instructions") != NULL);
    /* With a warp that has not even started. */
    m = machine(&(struct ventus_sim_config){ .num_thread = 8,
                                             .max_instructions = 1000 });
    m->launch.warps = 2;
    put(m, ventus_isa_jal(0, 0));
    f = faults(m, VENTUS_SIM_FAULT_LIMIT, 0);
    CHECK(strstr(f.text, "warp 1 at 0x80000000 runs") != NULL);
    m = machine(&(struct ventus_sim_config){ .num_thread = 8, .max_ms = 20 });
    put(m, ventus_isa_jal(0, 0));
    f = faults(m, VENTUS_SIM_FAULT_LIMIT, 0);
    CHECK(strstr(f.text, "max_ms") != NULL);
    /* No slice of instructions runs to its end: each ends at a barrier. */
    m = machine(&(struct ventus_sim_config){ .num_thread = 8, .max_ms = 20 });
    m->launch.warps = 2;
    put(m, ventus_isa_barrier(0, 0, 0));
    put(m, ventus_isa_jal(0, -4));
    f = faults(m, VENTUS_SIM_FAULT_LIMIT, 0);
    CHECK(strstr(f.text, "max_ms") != NULL);
}

/*
 * The step from one page of code to the next is no instruction: a warp that is
 * stepped through 1100 of them and an endprg ends within a limit of 1101.
 */
TEST(page_crossing_is_not_counted_when_stepped)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = 8, .max_instructions = 1101 });
    for (unsigned i = 0; i < 1100; i++)
        put(m, ventus_isa_addi(5, 5, 1));
    put(m, ventus_isa_endprg(0, 0, 0));
    ventus_sim_write(m->sim, CODE, m->word, sizeof m->word);
    struct ventus_sim_fault f;
    struct sim_stepper *s = step_open(m->sim, &m->launch, 1, &f);
    CHECK(s != NULL);
    step_start(s, 0, 0);
    for (unsigned i = 0; i < 1101; i++)
        if (!CHECK(step_warp_quick(s, 0, 0, 0)))
            break;
    CHECK_EQ(step_registers(s, 0, 0).x[5], 1100);
    step_close(s);
    machine_free(m);
}

TEST(barrier_deadlock)
{
    struct machine *m = machine(&(struct ventus_sim_config){
        .num_thread = 8, .max_instructions = 1000 });
    m->launch.warps = 2;
    put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WID, 0));
    put(m, ventus_isa_bne(5, 0, 8));
    put(m, ventus_isa_barrier(0, 0, 0));
    put(m, ventus_isa_bne(5, 0, 0));
    struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_DEADLOCK, 0);
    CHECK_STR(f.text,
              "barrier that can never complete: max_instructions at pc "
              "0x8000000c (bnez x5, pc + 0), workgroup 0 (0,0,0), warp 1; "
              "warp 0 at 0x80000008 waits at a barrier, warp 1 at 0x8000000c "
              "runs");
}

TEST(barrier_that_expects_ended_warps)
{
    for (unsigned all = 0; all < 2; all++) {
        struct machine *m = machine(
            &(struct ventus_sim_config){ .num_thread = 8, .barrier_all = all });
        m->launch.warps = 2;
        put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WID, 0));
        put(m, ventus_isa_beq(5, 0, 8));
        put(m, ventus_isa_endprg(0, 0, 0));
        put(m, ventus_isa_barrier(0, 0, 0));
        put(m, ventus_isa_endprg(0, 0, 0));
        CHECK_EQ(launch(m), !all);
        if (all) {
            CHECK_EQ(m->fault.kind, VENTUS_SIM_FAULT_DEADLOCK);
            CHECK(strstr(m->fault.text, "warp 0 at 0x8000000c waits at a "
                                        "barrier, warp 1 at 0x80000008 has "
                                        "ended") != NULL);
        }
        machine_free(m);
    }
}

/* Workgroups 3 and up fault; always 3 is reported, with its coordinates. */
TEST(lowest_workgroup_wins)
{
    for (unsigned threads = 1; threads <= 4; threads++)
        for (unsigned round = 0; round < 10; round++) {
            struct machine *m =
                machine(&(struct ventus_sim_config){ .host_threads = threads });
            m->launch.grid[0] = 2;
            m->launch.grid[1] = 20;
            m->launch.warps = 2;
            put(m, ventus_isa_csrrs(5, VENTUS_ISA_CSR_WGID, 0));
            put(m, ventus_isa_addi(6, 0, 3));
            put(m, ventus_isa_blt(5, 6, 8));
            put(m, ventus_isa_lw(7, 0, 4));
            put(m, ventus_isa_endprg(0, 0, 0));
            struct ventus_sim_fault f = faults(m, VENTUS_SIM_FAULT_UNMAPPED, 1);
            CHECK_EQ(f.group, 3);
            CHECK_EQ(f.group_at[0], 1);
            CHECK_EQ(f.group_at[1], 1);
            CHECK_EQ(f.warp, 0);
        }
}

TEST_MAIN
