/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 64-bit atomics of kernels and of the host program on the same memory at the same
 * time: no update is lost, no value is torn.
 */
#include <pthread.h>
#include <stdatomic.h>

#include "cl.h"

enum { ITEMS = 128, TIMES = 500, HOST_TIMES = 400000 };

/* `sum`: of both; `bits`: the host's are odd, the device's even; `turns`: by
 * compare-exchange; `tokens`: which exchanges pass on; `low`, `high`: extremes;
 * `same`: of two equal halves. */
struct shared {
    _Atomic uint64_t sum, bits, turns, tokens, same;
    _Atomic int64_t low, high;
    cl_ulong passed, torn; /* by the host */
};

static const char source[] =
    "struct shared {\n"
    "    atomic_ulong sum, bits, turns, tokens, same;\n"
    "    atomic_long low, high;\n"
    "};\n"
    "kernel void use(global struct shared *s, global ulong *passed,\n"
    "                global uint *torn, int times) {\n"
    "    const memory_order o = memory_order_seq_cst;\n"
    "    const memory_scope a = memory_scope_all_svm_devices;\n"
    "    ulong i = get_global_id(0), mine = 0;\n"
    "    uint bad = 0;\n"
    "    for (int k = 0; k < times; k++) {\n"
    "        atomic_fetch_add_explicit(&s->sum, 0xc0000001UL, o, a);\n"
    "        atomic_fetch_xor_explicit(&s->bits, 1UL << i % 32 * 2, o, a);\n"
    "        ulong old = atomic_load_explicit(&s->turns, o, a);\n"
    "        while (!atomic_compare_exchange_weak_explicit(\n"
    "            &s->turns, &old, old * 5 + 1, o, o, a))\n"
    "            ;\n"
    "        mine += atomic_exchange_explicit(&s->tokens, i << 40 | k, o, a);\n"
    "        atomic_fetch_min_explicit(&s->low, -((long)i << 33) - k, o, a);\n"
    "        atomic_fetch_max_explicit(&s->high, ((long)i << 33) + k, o, a);\n"
    "        ulong part = i << 16 | k;\n"
    "        atomic_store_explicit(&s->same, part << 32 | part, o, a);\n"
    "        ulong both = atomic_load_explicit(&s->same, o, a);\n"
    "        bad += both >> 32 != (both & 0xffffffff);\n"
    "    }\n"
    "    passed[i] = mine;\n"
    "    torn[i] = bad;\n"
    "}\n";

static void *
use_too(void *memory)
{
    struct shared *s = memory;
    for (cl_ulong k = 0; k < HOST_TIMES; k++) {
        atomic_fetch_add(&s->sum, 0xc0000001);
        atomic_fetch_xor(&s->bits, UINT64_C(2) << k % 32 * 2);
        uint64_t old = atomic_load(&s->turns);
        while (!atomic_compare_exchange_weak(&s->turns, &old, old * 5 + 1))
            ;
        s->passed += atomic_exchange(&s->tokens, k << 20);
        atomic_store(&s->same, k << 32 | k);
        cl_ulong both = atomic_load(&s->same);
        s->torn += both >> 32 != (both & 0xffffffff);
    }
    return NULL;
}

/* What all exchanges have put in, with what was there last. */
static cl_ulong
tokens_of_all(void)
{
    cl_ulong sum = 0;
    for (cl_ulong i = 0; i < ITEMS; i++)
        for (cl_ulong k = 0; k < TIMES; k++)
            sum += i << 40 | k;
    for (cl_ulong k = 0; k < HOST_TIMES; k++)
        sum += k << 20;
    return sum;
}

static void
check(struct shared *s, const cl_ulong *passed, const cl_uint *torn)
{
    const cl_ulong all = (cl_ulong)ITEMS * TIMES + HOST_TIMES;
    cl_ulong turns = 0, sum = s->passed + atomic_load(&s->tokens);
    for (cl_ulong k = 0; k < all; k++)
        turns = turns * 5 + 1;
    for (unsigned i = 0; i < ITEMS; i++) {
        sum += passed[i];
        CHECK_EQ(torn[i], 0);
    }
    CHECK_EQ(atomic_load(&s->sum), all * 0xc0000001);
    CHECK_EQ(atomic_load(&s->bits), 0); /* each an even number of times */
    CHECK_EQ(atomic_load(&s->turns), turns);
    CHECK_EQ(sum, tokens_of_all());
    CHECK_EQ(atomic_load(&s->low), -((cl_long)(ITEMS - 1) << 33) - (TIMES - 1));
    CHECK_EQ(atomic_load(&s->high), ((cl_long)(ITEMS - 1) << 33) + TIMES - 1);
    CHECK_EQ(s->torn, 0);
}

TEST(atomics_of_64_bits_with_the_host)
{
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, source, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "use");
    const size_t items = ITEMS, local = 32;
    const cl_int times = TIMES;
    const cl_svm_mem_flags fine =
        CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
    struct shared *s = clSVMAlloc(t.context, fine, sizeof *s, 0);
    cl_ulong *passed = clSVMAlloc(t.context, fine, ITEMS * sizeof *passed, 0);
    cl_uint *torn = clSVMAlloc(t.context, fine, ITEMS * sizeof *torn, 0);
    CHECK(s && passed && torn);
    memset(s, 0, sizeof *s);
    OK(clSetKernelArgSVMPointer(k, 0, s));
    OK(clSetKernelArgSVMPointer(k, 1, passed));
    OK(clSetKernelArgSVMPointer(k, 2, torn));
    OK(clSetKernelArg(k, 3, sizeof times, &times));
    pthread_t thread;
    pthread_create(&thread, NULL, use_too, s);
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &local, 0, NULL,
                              NULL));
    OK(clFinish(t.queue));
    pthread_join(thread, NULL);
    check(s, passed, torn);
    clSVMFree(t.context, s);
    clSVMFree(t.context, passed);
    clSVMFree(t.context, torn);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST_MAIN
