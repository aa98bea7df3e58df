/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in SPIR-V: results, specialization constants, linking, queries, and what is
 * refused.  spirv-as of spirv-tools makes the modules. */
#include <math.h>
#include <unistd.h>

#include "cl.h"

enum { MODULE_MAX = 65536 };

struct module {
    unsigned char bytes[MODULE_MAX];
    size_t size;
};

static char folder[] = "/tmp/ventus-spirv-XXXXXX";
static const char *version = "spv1.3"; /* of the modules */

/* The module of a text in which @ stands for the width of addresses. */
static struct module
assemble_for(const char *text, unsigned bits)
{
    static struct module m;
    char in[64], out[64], command[256];
    snprintf(in, sizeof in, "%s/m.spvasm", folder);
    snprintf(out, sizeof out, "%s/m.spv", folder);
    snprintf(command, sizeof command,
             "spirv-as --target-env %s --preserve-numeric-ids -o %s %s",
             version, out, in);
    FILE *f = fopen(in, "w");
    CHECK(f);
    for (; *text; text++) {
        if (*text == '@')
            fprintf(f, "%u", bits);
        else
            fputc(*text, f);
    }
    fclose(f);
    CHECK_EQ(system(command), 0);
    f = fopen(out, "rb");
    CHECK(f);
    m.size = fread(m.bytes, 1, sizeof m.bytes, f);
    fclose(f);
    CHECK(m.size > 20 && m.size < MODULE_MAX);
    return m;
}

static struct module
assemble(const struct cl *of, const char *text)
{
    const struct cl t = *of;
    return assemble_for(text, ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS));
}

static cl_program
create(struct cl *t, const struct module *m)
{
    cl_int code;
    cl_program p;
    CREATES(p, clCreateProgramWithIL(t->context, m->bytes, m->size, &code));
    return p;
}

static void
build(struct cl *t, cl_program p, const char *options)
{
    if (!test_check_eq(clBuildProgram(p, 1, &t->device, options, NULL, NULL),
                       CL_SUCCESS, __FILE__, __LINE__, "build", "CL_SUCCESS"))
        puts(cl_log(p, t->device));
}

enum { RESULTS = 16 };

/* Runs kernel k, whose one argument is a buffer of results, in one work-group. */
static void
run_items(struct cl *t, cl_program p, size_t items, cl_int results[RESULTS])
{
    memset(results, 0, RESULTS * sizeof *results);
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to =
        cl_buffer(t, CL_MEM_COPY_HOST_PTR, RESULTS * sizeof *results, results);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &items, &items, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t->queue, to, CL_TRUE, 0, RESULTS * sizeof *results,
                           results, 0, NULL, NULL));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(k));
}

static void
run(struct cl *t, cl_program p, cl_int results[RESULTS])
{
    run_items(t, p, 1, results);
}

#define DECLARED                                                          \
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n" \
    "OpCapability Int64\nOpCapability Int16\nOpCapability Int8\n"
#define MODEL "OpMemoryModel Physical@ OpenCL\n"
#define HEAD  DECLARED MODEL

/* Constants of each type, and one that is computed of another. */
static const char constants[] =
    HEAD "OpEntryPoint Kernel %k \"k\"\n"
         "OpName %out \"out\"\n"
         "OpDecorate %yes SpecId 1\nOpDecorate %no SpecId 2\n"
         "OpDecorate %int SpecId 3\nOpDecorate %short SpecId 4\n"
         "OpDecorate %long SpecId 5\nOpDecorate %real SpecId 6\n"
         "OpDecorate %char SpecId 7\n"
         "%void = OpTypeVoid\n%bool = OpTypeBool\n%i8 = OpTypeInt 8 0\n"
         "%i16 = OpTypeInt 16 0\n%i32 = OpTypeInt 32 0\n%i64 = OpTypeInt 64 0\n"
         "%f32 = OpTypeFloat 32\n"
         "%ptr = OpTypePointer CrossWorkgroup %i32\n"
         "%type = OpTypeFunction %void %ptr\n"
         "%yes = OpSpecConstantTrue %bool\n%no = OpSpecConstantFalse %bool\n"
         "%int = OpSpecConstant %i32 30\n%short = OpSpecConstant %i16 40\n"
         "%long = OpSpecConstant %i64 0x500000005\n"
         "%real = OpSpecConstant %f32 6.5\n%char = OpSpecConstant %i8 70\n"
         "%n0 = OpConstant %i32 0\n%n1 = OpConstant %i32 1\n"
         "%n2 = OpConstant %i32 2\n%n3 = OpConstant %i32 3\n"
         "%n4 = OpConstant %i32 4\n%n5 = OpConstant %i32 5\n"
         "%n6 = OpConstant %i32 6\n%n7 = OpConstant %i32 7\n"
         "%n32 = OpConstant %i64 32\n"
         "%sum = OpSpecConstantOp %i32 IAdd %int %n7\n"
         "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
         "%entry = OpLabel\n"
         "%a0 = OpInBoundsPtrAccessChain %ptr %out %n0\n"
         "%a1 = OpInBoundsPtrAccessChain %ptr %out %n1\n"
         "%a2 = OpInBoundsPtrAccessChain %ptr %out %n2\n"
         "%a3 = OpInBoundsPtrAccessChain %ptr %out %n3\n"
         "%a4 = OpInBoundsPtrAccessChain %ptr %out %n4\n"
         "%a5 = OpInBoundsPtrAccessChain %ptr %out %n5\n"
         "%a6 = OpInBoundsPtrAccessChain %ptr %out %n6\n"
         "%a7 = OpInBoundsPtrAccessChain %ptr %out %n7\n"
         "%v0 = OpSelect %i32 %yes %n1 %n0\n%v1 = OpSelect %i32 %no %n1 %n0\n"
         "%v3 = OpSConvert %i32 %short\n"
         "%high = OpShiftRightLogical %i64 %long %n32\n"
         "%v4 = OpUConvert %i32 %high\n%v5 = OpBitcast %i32 %real\n"
         "%v6 = OpSConvert %i32 %char\n"
         "OpStore %a0 %v0 Aligned 4\nOpStore %a1 %v1 Aligned 4\n"
         "OpStore %a2 %int Aligned 4\nOpStore %a3 %v3 Aligned 4\n"
         "OpStore %a4 %v4 Aligned 4\nOpStore %a5 %v5 Aligned 4\n"
         "OpStore %a6 %v6 Aligned 4\nOpStore %a7 %sum Aligned 4\n"
         "OpReturn\nOpFunctionEnd\n";

static void
check_results(struct cl *t, cl_program p, const cl_int want[RESULTS])
{
    cl_int got[RESULTS];
    build(t, p, "");
    run(t, p, got);
    for (unsigned i = 0; i < RESULTS; i++)
        CHECK_EQ(got[i], want[i]);
}

static cl_int
bits_of(float x)
{
    cl_int word;
    memcpy(&word, &x, 4);
    return word;
}

TEST(constants_of_each_type)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    cl_program p = create(&t, &m), other = create(&t, &m);
    const cl_int before[RESULTS] = { 1, 0, 30, 40, 5, bits_of(6.5f), 70, 37 };
    const cl_int after[RESULTS] = { 0, 1, -3, -4, 9, bits_of(-0.f), -7, 4 };
    const cl_uchar no = 0, yes = 1;
    const cl_int int_ = -3;
    const cl_short short_ = -4;
    const cl_long long_ = (cl_long)9 << 32;
    const cl_float real = -0.f;
    const cl_char char_ = -7;
    check_results(&t, p, before);
    OK(clSetProgramSpecializationConstant(p, 1, 1, &no));
    OK(clSetProgramSpecializationConstant(p, 2, 1, &yes));
    OK(clSetProgramSpecializationConstant(p, 3, 4, &int_));
    OK(clSetProgramSpecializationConstant(p, 4, 2, &short_));
    OK(clSetProgramSpecializationConstant(p, 5, 8, &long_));
    OK(clSetProgramSpecializationConstant(p, 6, 4, &real));
    OK(clSetProgramSpecializationConstant(p, 7, 1, &char_));
    check_results(&t, p, after);
    /* The cache knows the one from the other. */
    check_results(&t, other, before);
    OK(clReleaseProgram(p));
    OK(clReleaseProgram(other));
    cl_close(&t);
}

TEST(constants_that_are_refused)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    cl_program p = create(&t, &m), source = cl_source(&t, "kernel void k() {}");
    const cl_long x = 1;
    FAILS(CL_INVALID_PROGRAM,
          clSetProgramSpecializationConstant(NULL, 3, 4, &x));
    FAILS(CL_INVALID_PROGRAM,
          clSetProgramSpecializationConstant(source, 3, 4, &x));
    FAILS(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(p, 30, 4, &x));
    FAILS(CL_INVALID_VALUE, clSetProgramSpecializationConstant(p, 3, 8, &x));
    FAILS(CL_INVALID_VALUE, clSetProgramSpecializationConstant(p, 1, 4, &x));
    FAILS(CL_INVALID_VALUE, clSetProgramSpecializationConstant(p, 3, 4, NULL));
    OK(clReleaseProgram(source));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(module_is_returned)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    static unsigned char back[MODULE_MAX];
    cl_program p = create(&t, &m);
    const cl_int five = 5;
    size_t size;
    char text[8];
    OK(clSetProgramSpecializationConstant(p, 3, 4, &five));
    OK(clGetProgramInfo(p, CL_PROGRAM_IL, sizeof back, back, &size));
    CHECK_EQ(size, m.size);
    CHECK(memcmp(back, m.bytes, size) == 0);
    OK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof text, text, &size));
    CHECK(size == 1 && !*text);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(other_byte_order)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    for (size_t i = 0; i < m.size; i += 4)
        for (unsigned j = 0; j < 2; j++) {
            unsigned char low = m.bytes[i + j];
            m.bytes[i + j] = m.bytes[i + 3 - j];
            m.bytes[i + 3 - j] = low;
        }
    cl_program p = create(&t, &m);
    const cl_int want[RESULTS] = { 1, 0, 5, 40, 5, bits_of(6.5f), 70, 12 },
                 five = 5;
    OK(clSetProgramSpecializationConstant(p, 3, 4, &five));
    check_results(&t, p, want);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

static const char twice[] =
    HEAD "OpDecorate %f LinkageAttributes \"twice\" Export\n"
         "%i32 = OpTypeInt 32 0\n%type = OpTypeFunction %i32 %i32\n"
         "%f = OpFunction %i32 None %type\n%x = OpFunctionParameter %i32\n"
         "%entry = OpLabel\n%sum = OpIAdd %i32 %x %x\n"
         "OpReturnValue %sum\nOpFunctionEnd\n";

TEST(linked_with_source)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, twice);
    cl_program p[2] = { create(&t, &m),
                        cl_source(&t, "int twice(int);\n"
                                      "kernel void k(global int *o)\n"
                                      "{ o[0] = twice(21); }") };
    cl_int code, got[RESULTS];
    for (unsigned i = 0; i < 2; i++)
        OK(clCompileProgram(p[i], 1, &t.device, "", 0, NULL, NULL, NULL, NULL));
    cl_program all;
    CREATES(all, clLinkProgram(t.context, 1, &t.device, "", 2, p, NULL, NULL,
                               &code));
    run(&t, all, got);
    CHECK_EQ(got[0], 42);
    OK(clReleaseProgram(all));
    OK(clReleaseProgram(p[0]));
    OK(clReleaseProgram(p[1]));
    cl_close(&t);
}

TEST(arguments_are_told)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    cl_program p = create(&t, &m);
    char name[16] = "";
    cl_kernel_arg_address_qualifier space;
    build(&t, p, "-cl-kernel-arg-info");
    cl_kernel k = cl_kernel_of(p, "k");
    OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    CHECK_STR(name, "out");
    OK(clGetKernelArgInfo(k, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space,
                          &space, NULL));
    CHECK_EQ(space, CL_KERNEL_ARG_ADDRESS_GLOBAL);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* A string that no decoration calls constant, and whose address is cast. */
static const char printing[] =
    "OpCapability Int8\nOpCapability Addresses\nOpCapability Kernel\n"
    "%std = OpExtInstImport \"OpenCL.std\"\n" MODEL
    "OpEntryPoint Kernel %k \"k\"\n"
    "%void = OpTypeVoid\n%i8 = OpTypeInt 8 0\n%i32 = OpTypeInt 32 0\n"
    "%n4 = OpConstant %i32 4\n%text = OpTypeArray %i8 %n4\n"
    "%strings = OpTypePointer UniformConstant %text\n"
    "%chars = OpTypePointer UniformConstant %i8\n"
    "%ptr = OpTypePointer CrossWorkgroup %i32\n"
    "%type = OpTypeFunction %void %ptr\n"
    "%c37 = OpConstant %i8 37\n%c100 = OpConstant %i8 100\n"
    "%c10 = OpConstant %i8 10\n%c0 = OpConstant %i8 0\n"
    "%array = OpConstantComposite %text %c37 %c100 %c10 %c0\n"
    "%string = OpVariable %strings UniformConstant %array\n"
    "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
    "%entry = OpLabel\n%format = OpBitcast %chars %string\n"
    "%done = OpExtInst %i32 %std printf %format %n4\n"
    "%r = OpIAdd %i32 %done %n4\nOpStore %out %r Aligned 4\n"
    "OpReturn\nOpFunctionEnd\n";

TEST(printf_of_a_module)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, printing);
    cl_program p = create(&t, &m);
    const cl_int want[RESULTS] = { 4 };
    check_results(&t, p, want);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Scopes of aliases are hints; an alignment stays where they go. */
static const char aliases[] =
    "OpCapability MemoryAccessAliasingINTEL\n" DECLARED
    "OpExtension \"SPV_INTEL_memory_access_aliasing\"\n" MODEL
    "OpEntryPoint Kernel %k \"k\"\n"
    "OpDecorateId %call AliasScopeINTEL %list\n"
    "%domain = OpAliasDomainDeclINTEL\n"
    "%scope = OpAliasScopeDeclINTEL %domain\n"
    "%list = OpAliasScopeListDeclINTEL %scope\n"
    "%void = OpTypeVoid\n%i32 = OpTypeInt 32 0\n"
    "%ptr = OpTypePointer CrossWorkgroup %i32\n"
    "%type = OpTypeFunction %void %ptr\n%n1 = OpConstant %i32 1\n"
    "%n9 = OpConstant %i32 9\n"
    "%g = OpFunction %void None %type\n%p = OpFunctionParameter %ptr\n"
    "%body = OpLabel\n"
    "OpStore %p %n9 Aligned|AliasScopeINTELMask 4 %list\n"
    "OpReturn\nOpFunctionEnd\n"
    "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
    "%entry = OpLabel\n%call = OpFunctionCall %void %g %out\n"
    "%x = OpLoad %i32 %out Aligned|NoAliasINTELMask 4 %list\n"
    "%to = OpInBoundsPtrAccessChain %ptr %out %n1\n"
    "OpStore %to %x NoAliasINTELMask %list\n"
    "OpReturn\nOpFunctionEnd\n";

TEST(hints_about_aliases)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, aliases);
    cl_program p = create(&t, &m);
    const cl_int want[RESULTS] = { 9, 9 };
    check_results(&t, p, want);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Lanes and atomics: extensions whose instructions become functions of the library. */
static const char lanes[] = DECLARED
    "OpCapability Groups\nOpCapability SubgroupShuffleINTEL\n"
    "OpCapability GroupNonUniformBallot\n"
    "OpCapability GroupNonUniformArithmetic\n"
    "OpCapability AtomicFloat32AddEXT\nOpCapability ExpectAssumeKHR\n"
    "OpExtension \"SPV_INTEL_subgroups\"\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"
    "OpExtension \"SPV_KHR_expect_assume\"\n" MODEL
    "OpEntryPoint Kernel %k \"k\" %id\n"
    "OpDecorate %id BuiltIn SubgroupLocalInvocationId\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%i32 = OpTypeInt 32 0\n"
    "%f32 = OpTypeFloat 32\n%v4 = OpTypeVector %i32 4\n"
    "%in = OpTypePointer Input %i32\n%id = OpVariable %in Input\n"
    "%ptr = OpTypePointer CrossWorkgroup %i32\n"
    "%real = OpTypePointer CrossWorkgroup %f32\n"
    "%type = OpTypeFunction %void %ptr\n"
    "%n0 = OpConstant %i32 0\n%n1 = OpConstant %i32 1\n"
    "%n3 = OpConstant %i32 3\n%n8 = OpConstant %i32 8\n"
    "%n10 = OpConstant %i32 10\n%n1000 = OpConstant %i32 1000\n"
    "%by = OpConstant %f32 1.5\n"
    "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
    "%entry = OpLabel\n%i = OpLoad %i32 %id\n"
    "%next = OpSubgroupShuffleXorINTEL %i32 %i %n1\n"
    "%sum = OpGroupNonUniformIAdd %i32 %n3 Reduce %i\n"
    "%few = OpULessThan %bool %i %n3\n"
    "%all = OpGroupNonUniformBallot %v4 %n3 %few\n"
    "%low = OpCompositeExtract %i32 %all 0\n"
    "%a = OpIMul %i32 %sum %n10\n%b = OpIMul %i32 %low %n1000\n"
    "%ab = OpIAdd %i32 %a %b\n%abc = OpIAdd %i32 %ab %next\n"
    "%likely = OpExpectKHR %i32 %abc %n1\n"
    "%true = OpULessThan %bool %i %n8\n"
    "OpAssumeTrueKHR %true\n"
    "%to = OpInBoundsPtrAccessChain %ptr %out %i\n"
    "OpStore %to %likely Aligned 4\n"
    "%last = OpInBoundsPtrAccessChain %ptr %out %n8\n"
    "%float = OpBitcast %real %last\n"
    "%old = OpAtomicFAddEXT %f32 %float %n1 %n0 %by\n"
    "OpReturn\nOpFunctionEnd\n";

TEST(lanes_and_atomics)
{
    enum { ITEMS = 8 };
    struct cl t = cl_open(0);
    struct module m = assemble(&t, lanes);
    cl_program p = create(&t, &m);
    cl_int got[RESULTS];
    build(&t, p, "");
    run_items(&t, p, ITEMS, got);
    for (int i = 0; i < ITEMS; i++)
        CHECK_EQ(got[i], (i ^ 1) + 10 * 28 + 1000 * 7);
    CHECK_EQ(got[ITEMS], bits_of(1.5f * ITEMS));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Halves, two in a word. */
static const char half_atomics[] = DECLARED
    "OpCapability Float16Buffer\nOpCapability Float16\n"
    "OpCapability AtomicFloat16AddEXT\nOpCapability AtomicFloat16MinMaxEXT\n"
    "OpExtension \"SPV_EXT_shader_atomic_float16_add\"\n"
    "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n" MODEL
    "OpEntryPoint Kernel %k \"k\"\n"
    "%void = OpTypeVoid\n%i32 = OpTypeInt 32 0\n%f16 = OpTypeFloat 16\n"
    "%ptr = OpTypePointer CrossWorkgroup %i32\n"
    "%half = OpTypePointer CrossWorkgroup %f16\n"
    "%type = OpTypeFunction %void %ptr\n"
    "%n0 = OpConstant %i32 0\n%n1 = OpConstant %i32 1\n"
    "%n2 = OpConstant %i32 2\n"
    "%x = OpConstant %f16 1.5\n%y = OpConstant %f16 -2\n"
    "%z = OpConstant %f16 3\n"
    "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
    "%entry = OpLabel\n%a = OpBitcast %half %out\n"
    "%b = OpInBoundsPtrAccessChain %half %a %n1\n"
    "%c = OpInBoundsPtrAccessChain %half %a %n2\n"
    "%d = OpAtomicFAddEXT %f16 %a %n1 %n0 %x\n"
    "%e = OpAtomicFMinEXT %f16 %b %n1 %n0 %y\n"
    "%f = OpAtomicFMaxEXT %f16 %c %n1 %n0 %z\n"
    "OpReturn\nOpFunctionEnd\n";

TEST(atomics_of_halves)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, half_atomics);
    cl_program p = create(&t, &m);
    cl_int got[RESULTS];
    build(&t, p, "");
    run_items(&t, p, 8, got);
    CHECK_EQ((cl_uint)got[0], 0xc0004a00); /* -2 and 8 x 1.5 */
    CHECK_EQ((cl_uint)got[1], 0x4200);     /* 3 */
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* The execution mode SubgroupSize, and SPV_KHR_uniform_group_instructions in both kinds of
 * groups, of 32 bits, of 8 bits and of truth values. */
static const char groups[] = DECLARED
    "OpCapability Groups\nOpCapability SubgroupDispatch\n"
    "OpCapability GroupUniformArithmeticKHR\n"
    "OpExtension \"SPV_KHR_uniform_group_instructions\"\n" MODEL
    "OpEntryPoint Kernel %k \"k\" %id %part %max\n"
    "OpExecutionMode %k SubgroupSize 8\n"
    "OpDecorate %id BuiltIn SubgroupLocalInvocationId\n"
    "OpDecorate %part BuiltIn SubgroupId\n"
    "OpDecorate %max BuiltIn SubgroupMaxSize\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%i32 = OpTypeInt 32 0\n"
    "%i8 = OpTypeInt 8 0\n%in = OpTypePointer Input %i32\n"
    "%id = OpVariable %in Input\n%max = OpVariable %in Input\n"
    "%part = OpVariable %in Input\n"
    "%ptr = OpTypePointer CrossWorkgroup %i32\n"
    "%type = OpTypeFunction %void %ptr\n"
    "%all = OpConstant %i32 2\n%sub = OpConstant %i32 3\n"
    "%n0 = OpConstant %i32 0\n%n1 = OpConstant %i32 1\n"
    "%n3 = OpConstant %i32 3\n%n5 = OpConstant %i32 5\n"
    "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
    "%entry = OpLabel\n%lane = OpLoad %i32 %id\n%width = OpLoad %i32 %max\n"
    "%number = OpLoad %i32 %part\n%before = OpIMul %i32 %number %width\n"
    "%i = OpIAdd %i32 %before %lane\n"
    "%odd = OpBitwiseOr %i32 %i %n1\n"
    "%a = OpGroupIMulKHR %i32 %sub Reduce %odd\n"
    "%b = OpGroupIMulKHR %i32 %all InclusiveScan %n3\n"
    "%c = OpGroupBitwiseXorKHR %i32 %sub ExclusiveScan %i\n"
    "%byte = OpUConvert %i8 %i\n"
    "%d8 = OpGroupBitwiseOrKHR %i8 %all Reduce %byte\n"
    "%d = OpUConvert %i32 %d8\n"
    "%low = OpULessThan %bool %i %n5\n"
    "%e1 = OpGroupLogicalAndKHR %bool %sub InclusiveScan %low\n"
    "%e = OpSelect %i32 %e1 %n1 %n0\n"
    "%f1 = OpGroupLogicalXorKHR %bool %all Reduce %low\n"
    "%f = OpSelect %i32 %f1 %n1 %n0\n"
    "%m1 = OpIMul %i32 %a %n5\n%s1 = OpIAdd %i32 %m1 %b\n"
    "%m2 = OpIMul %i32 %s1 %n5\n%s2 = OpIAdd %i32 %m2 %c\n"
    "%m3 = OpIMul %i32 %s2 %n5\n%s3 = OpIAdd %i32 %m3 %d\n"
    "%m4 = OpIMul %i32 %s3 %n5\n%s4 = OpIAdd %i32 %m4 %e\n"
    "%m5 = OpIMul %i32 %s4 %n5\n%s5 = OpIAdd %i32 %m5 %f\n"
    "%m6 = OpIMul %i32 %s5 %n5\n%s6 = OpIAdd %i32 %m6 %width\n"
    "%to = OpInBoundsPtrAccessChain %ptr %out %i\n"
    "OpStore %to %s6 Aligned 4\nOpReturn\nOpFunctionEnd\n";

TEST(parts_of_warps_and_uniform_groups)
{
    enum { ITEMS = 16, WIDTH = 8 };
    struct cl t = cl_open(0);
    struct module m = assemble(&t, groups);
    cl_program p = create(&t, &m);
    cl_int got[RESULTS];
    build(&t, p, "");
    run_items(&t, p, ITEMS, got);
    for (cl_uint i = 0; i < ITEMS; i++) {
        cl_uint first = i / WIDTH * WIDTH, a = 1, b = 1, c = 0, all_low = 1;
        for (cl_uint j = first; j < first + WIDTH; j++) {
            a *= j | 1;
            c ^= j < i ? j : 0;
            all_low &= j > i || j < 5;
        }
        for (cl_uint j = 0; j <= i; j++)
            b *= 3;
        const cl_uint parts[] = { b, c, ITEMS - 1, all_low, 1, WIDTH };
        cl_uint want = a;
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++)
            want = 5 * want + parts[j];
        CHECK_EQ((cl_uint)got[i], want);
    }
    cl_kernel k = cl_kernel_of(p, "k");
    size_t size;
    OK(clGetKernelSubGroupInfo(k, t.device,
                               CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL,
                               sizeof size, &size, NULL));
    CHECK_EQ(size, WIDTH);
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- modules of clang 15 and llvm-spirv ---- */

static struct module
translate(const struct cl *of, const char *text)
{
    const struct cl t = *of;
    static struct module m;
    char path[64], command[512];
    const char *wide =
        ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS) == 64 ? "64" : "";
    snprintf(path, sizeof path, "%s/m.cl", folder);
    FILE *f = fopen(path, "w");
    CHECK(f);
    fputs(text, f);
    fclose(f);
    snprintf(command, sizeof command,
             "cd %s && clang-15 -target spir%s -cl-std=CL2.0 -O1 -emit-llvm "
             "-c -Xclang -finclude-default-header -Xclang -no-opaque-pointers "
             "m.cl -o m.bc && llvm-spirv-15 m.bc -o m.spv",
             folder, wide);
    CHECK_EQ(system(command), 0);
    snprintf(path, sizeof path, "%s/m.spv", folder);
    f = fopen(path, "rb");
    CHECK(f);
    m.size = fread(m.bytes, 1, sizeof m.bytes, f);
    fclose(f);
    return m;
}

/* Images of both accesses, a sampler that is an argument and one of the program, and a copy
 * whose event is waited for. */
static const char handles[] =
    "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE |\n"
    "    CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "int read(read_only image2d_t i, sampler_t s, int x)\n"
    "{ return read_imagei(i, s, (int2)(x, 1)).x; }\n"
    "kernel void k(global int *out, read_only image2d_t from, sampler_t s,\n"
    "              write_only image2d_t to)\n"
    "{   local int part[8];\n"
    "    int i = get_global_id(0), x = read(from, s, i) + read(from, edge, i - "
    "2);\n"
    "    write_imagei(to, (int2)(i, 0), (int4)(x, 0, 0, 0));\n"
    "    event_t e = async_work_group_copy(part, out + 8, 8, 0);\n"
    "    wait_group_events(1, &e);\n"
    "    out[i] = part[7 - i] + get_image_width(from); }\n";

TEST(images_samplers_and_events)
{
    enum { WIDTH = 8, HEIGHT = 2 };
    struct cl t = cl_open(0);
    struct module m = translate(&t, handles);
    cl_program p = create(&t, &m);
    build(&t, p, "");
    cl_kernel k = cl_kernel_of(p, "k");
    const cl_image_format format = { CL_R, CL_SIGNED_INT32 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = WIDTH,
                                 .image_height = HEIGHT };
    cl_int pixels[HEIGHT][WIDTH], got[RESULTS], code;
    for (int i = 0; i < RESULTS; i++) {
        pixels[i / WIDTH][i % WIDTH] = 100 * i;
        got[i] = i;
    }
    cl_mem out = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof got, got), from, to;
    cl_sampler s;
    CREATES(from, clCreateImage(t.context, CL_MEM_COPY_HOST_PTR, &format, &desc,
                                pixels, &code));
    CREATES(to, clCreateImage(t.context, CL_MEM_WRITE_ONLY, &format, &desc,
                              NULL, &code));
    CREATES(s, clCreateSampler(t.context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                               CL_FILTER_NEAREST, &code));
    OK(clSetKernelArg(k, 0, sizeof out, &out));
    OK(clSetKernelArg(k, 1, sizeof from, &from));
    OK(clSetKernelArg(k, 2, sizeof s, &s));
    OK(clSetKernelArg(k, 3, sizeof to, &to));
    const size_t items = WIDTH, origin[3] = { 0 }, region[3] = { WIDTH, 1, 1 };
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &items, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(t.queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL,
                           NULL));
    OK(clEnqueueReadImage(t.queue, to, CL_TRUE, origin, region, 0, 0, pixels, 0,
                          NULL, NULL));
    for (int i = 0; i < WIDTH; i++) {
        CHECK_EQ(got[i], 15 - i + WIDTH);
        CHECK_EQ(pixels[0][i],
                 100 * (WIDTH + i) + 100 * (WIDTH + (i < 2 ? 0 : i - 2)));
    }
    OK(clReleaseSampler(s));
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- extensions that OpenCL 3.1 requires: one instruction of numbers x and y ---- */

static const char numbers_head[] =
    "OpCapability BitInstructions\nOpCapability DotProduct\n"
    "OpCapability DotProductInput4x8Bit\n"
    "OpCapability DotProductInput4x8BitPacked\n"
    "OpCapability GroupNonUniformRotateKHR\n" DECLARED
    "OpExtension \"SPV_KHR_bit_instructions\"\n"
    "OpExtension \"SPV_KHR_integer_dot_product\"\n"
    "OpExtension \"SPV_KHR_subgroup_rotate\"\n" MODEL
    "OpEntryPoint Kernel %k \"k\" %id\n"
    "OpDecorate %id BuiltIn SubgroupLocalInvocationId\n"
    "%void = OpTypeVoid\n%i8 = OpTypeInt 8 0\n%i16 = OpTypeInt 16 0\n"
    "%i32 = OpTypeInt 32 0\n%i64 = OpTypeInt 64 0\n"
    "%v4 = OpTypeVector %i8 4\n%v2 = OpTypeVector %i32 2\n"
    "%bool = OpTypeBool\n%u4 = OpTypeVector %i32 4\n"
    "%n2 = OpConstant %i32 2\n%two = OpTypeArray %i32 %n2\n"
    "%inner = OpTypeStruct %i32 %i32\n%outer = OpTypeStruct %inner %two\n"
    "%inner2 = OpTypeStruct %i32 %i32\n%outer2 = OpTypeStruct %inner2 %two\n"
    "%pouter = OpTypePointer CrossWorkgroup %outer\n"
    "%private = OpTypePointer Function %i32\n"
    "%f32 = OpTypeFloat 32\n%w2 = OpTypeVector %f32 2\n"
    "%in = OpTypePointer Input %i32\n%id = OpVariable %in Input\n"
    "%ptr = OpTypePointer CrossWorkgroup %i32\n"
    "%type = OpTypeFunction %void %ptr\n"
    "%n1 = OpConstant %i32 1\n%n3 = OpConstant %i32 3\n"
    "%n4 = OpConstant %i32 4\n%n5 = OpConstant %i32 5\n"
    "%n9 = OpConstant %i32 9\n%c2 = OpConstant %i8 2\n"
    "%c3 = OpConstant %i8 3\n%l5 = OpConstant %i64 5\n"
    "%big = OpConstant %i32 0x7fffff00\n%small = OpConstant %i16 0x8010\n"
    "%vw4 = OpConstantComposite %u4 %n1 %n2 %n3 %n4\n"
    "%A = OpConstant %i32 0x8142c3f1\n%B = OpConstant %i32 0x9e3779b9\n"
    "%k = OpFunction %void None %type\n%out = OpFunctionParameter %ptr\n"
    "%entry = OpLabel\n%var = OpVariable %private Function\n"
    "%other = OpVariable %private Function\n"
    "%nine = OpVariable %private Function %n9\n"
    "%i = OpLoad %i32 %id\n%j = OpIAdd %i32 %i %n1\n"
    "%x = OpIMul %i32 %j %A\n%y = OpIMul %i32 %j %B\n"
    "%vx = OpBitcast %v4 %x\n%vy = OpBitcast %v4 %y\n"
    "%to = OpInBoundsPtrAccessChain %ptr %out %i\n";
static const char numbers_end[] =
    "OpStore %to %r Aligned 4\nOpReturn\nOpFunctionEnd\n";

static cl_uint
x_of(unsigned item)
{
    return (item + 1) * 0x8142c3f1u;
}

static cl_uint
y_of(unsigned item)
{
    return (item + 1) * 0x9e3779b9u;
}

enum { NUMBERS = 8 };

/* Sets what each item stores after the instructions, which compute r. */
static void
compute(struct cl *t, const char *instructions, cl_int got[RESULTS])
{
    static char text[sizeof numbers_head + sizeof numbers_end + 2048];
    snprintf(text, sizeof text, "%s%s%s", numbers_head, instructions,
             numbers_end);
    struct module m = assemble(t, text);
    cl_program p = create(t, &m);
    build(t, p, "");
    run_items(t, p, NUMBERS, got);
    OK(clReleaseProgram(p));
}

static cl_uint
reversed(cl_uint x, unsigned bits)
{
    cl_uint r = 0;
    for (unsigned i = 0; i < bits; i++)
        r |= (x >> i & 1) << (bits - 1 - i);
    return r;
}

TEST(bit_instructions)
{
    struct cl t = cl_open(0);
    cl_int got[7][RESULTS];
    compute(&t, "%r = OpBitFieldInsert %i32 %x %y %n5 %n9\n", got[0]);
    compute(&t, "%r = OpBitFieldSExtract %i32 %x %n5 %n9\n", got[1]);
    compute(&t, "%r = OpBitFieldUExtract %i32 %x %n5 %n9\n", got[2]);
    compute(&t, "%r = OpBitReverse %i32 %x\n", got[3]);
    compute(&t,
            "%s = OpUConvert %i8 %x\n%e = OpBitFieldSExtract %i8 %s %n3 %n4\n"
            "%f = OpBitReverse %i8 %e\n%r = OpUConvert %i32 %f\n",
            got[4]);
    compute(&t,
            "%w = OpUndef %v2\n%v = OpCompositeInsert %v2 %y %w 1\n"
            "%e = OpBitFieldUExtract %v2 %v %n5 %n9\n"
            "%r = OpCompositeExtract %i32 %e 1\n",
            got[5]);
    /* A place and a number of bits may be integers of any width. */
    compute(&t,
            "%s = OpBitFieldInsert %i32 %x %y %l5 %n9\n"
            "%r = OpBitFieldSExtract %i32 %s %c2 %c3\n",
            got[6]);
    for (unsigned i = 0; i < NUMBERS; i++) {
        cl_uint x = x_of(i), y = y_of(i);
        cl_uint set = (x & ~(0x1ffu << 5)) | (y & 0x1ff) << 5;
        cl_int nibble = (cl_int)(x << 25) >> 28;
        CHECK_EQ(got[0][i], (cl_int)set);
        CHECK_EQ(got[1][i], (cl_int)(x << 18) >> 23);
        CHECK_EQ(got[2][i], (cl_int)(x >> 5 & 0x1ff));
        CHECK_EQ(got[3][i], (cl_int)reversed(x, 32));
        CHECK_EQ(got[4][i], (cl_int)reversed((cl_uint)nibble & 0xff, 8));
        CHECK_EQ(got[5][i], (cl_int)(y >> 5 & 0x1ff));
        CHECK_EQ(got[6][i], (cl_int)(set << 27) >> 29);
    }
    cl_close(&t);
}

/* The sum of the products of four bytes, each signed or not. */
static cl_long
dot_of(cl_uint x, cl_uint y, bool x_signed, bool y_signed)
{
    cl_long sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        int p = (int)(x >> i & 0xff), q = (int)(y >> i & 0xff);
        p -= x_signed && p > 127 ? 256 : 0;
        q -= y_signed && q > 127 ? 256 : 0;
        sum += p * q;
    }
    return sum;
}

static cl_long
clamped(cl_long x, cl_long low, cl_long high)
{
    return x < low ? low : x > high ? high : x;
}

/* Vectors, and words of the packed format. */
TEST(integer_dot_products)
{
    static const struct {
        const char *name;
        bool x_signed, y_signed;
    } kinds[] = { { "S", true, true },
                  { "U", false, false },
                  { "SU", true, false } };
    static const char *const operands[][2] = {
        { "%vx %vy", "" }, { "%x %y", " PackedVectorFormat4x8Bit" }
    };
    struct cl t = cl_open(0);
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned format = 0; format < 2; format++) {
            const char *name = kinds[kind].name, *of = operands[format][0],
                       *packed = operands[format][1];
            bool x_signed = kinds[kind].x_signed;
            char text[512];
            cl_int plain[RESULTS], high[RESULTS], low[RESULTS];
            snprintf(text, sizeof text,
                     "%%d = Op%sDot %%i32 %s%s\n%%e = Op%sDot %%i8 %s%s\n"
                     "%%f = OpUConvert %%i32 %%e\n"
                     "%%r = OpIMul %%i32 %%d %%f\n",
                     name, of, packed, name, of, packed);
            compute(&t, text, plain);
            snprintf(text, sizeof text,
                     "%%r = Op%sDotAccSat %%i32 %s %%big%s\n", name, of,
                     packed);
            compute(&t, text, high);
            snprintf(text, sizeof text,
                     "%%l = Op%sDot %%i64 %s%s\n%%m = OpUConvert %%i32 %%l\n"
                     "%%s = Op%sDotAccSat %%i16 %s %%small%s\n"
                     "%%u = OpUConvert %%i32 %%s\n"
                     "%%r = OpIMul %%i32 %%m %%u\n",
                     name, of, packed, name, of, packed);
            compute(&t, text, low);
            for (unsigned i = 0; i < NUMBERS; i++) {
                cl_long dot =
                    dot_of(x_of(i), y_of(i), x_signed, kinds[kind].y_signed);
                CHECK_EQ(plain[i],
                         (cl_int)((cl_uint)dot * ((cl_uint)dot & 0xff)));
                CHECK_EQ(high[i],
                         x_signed
                             ? clamped(dot + 0x7fffff00, INT32_MIN, INT32_MAX)
                             : (cl_int)((cl_uint)dot + 0x7fffff00u));
                if (dot != (cl_short)dot)
                    continue; /* The sum before the last addition is undefined. */
                cl_long sum = x_signed ? clamped(dot - 0x7ff0, -0x8000, 0x7fff)
                                       : clamped(dot + 0x8010, 0, 0xffff);
                CHECK_EQ(low[i],
                         (cl_int)((cl_uint)dot * (cl_uint)(cl_ushort)sum));
            }
        }
    cl_close(&t);
}

/* Composites of values, and vectors of two lengths, which the translator cannot read. */
TEST(composites_of_values)
{
    struct cl t = cl_open(0);
    cl_int parts[RESULTS], objects[RESULTS], lengths[RESULTS];
    compute(&t,
            "%p = OpCompositeConstruct %v2 %x %y\n"
            "%q = OpCompositeConstruct %u4 %i %p %x\n"
            "%a0 = OpCompositeExtract %i32 %q 0\n"
            "%a1 = OpCompositeExtract %i32 %q 1\n"
            "%a2 = OpCompositeExtract %i32 %q 2\n"
            "%a3 = OpCompositeExtract %i32 %q 3\n"
            "%b0 = OpIMul %i32 %a0 %n3\n%b1 = OpIMul %i32 %a1 %n5\n"
            "%b2 = OpIMul %i32 %a2 %n9\n%c0 = OpIAdd %i32 %b0 %b1\n"
            "%c1 = OpIAdd %i32 %b2 %a3\n%r = OpIAdd %i32 %c0 %c1\n",
            parts);
    compute(&t,
            "%p = OpCompositeConstruct %inner %x %i\n"
            "%q = OpCompositeConstruct %two %y %j\n"
            "%s = OpCompositeConstruct %outer %p %q\n"
            "%a = OpCompositeExtract %i32 %s 0 0\n"
            "%d = OpCompositeExtract %i32 %s 1 1\n"
            "%r = OpIAdd %i32 %a %d\n",
            objects);
    compute(&t,
            "%u = OpUndef %v2\n%v = OpCompositeInsert %v2 %y %u 1\n"
            "%w = OpVectorShuffle %u4 %vw4 %v 3 5 0xffffffff 0\n"
            "%a = OpCompositeExtract %i32 %w 0\n"
            "%d = OpCompositeExtract %i32 %w 1\n"
            "%r = OpIAdd %i32 %a %d\n",
            lengths);
    for (unsigned i = 0; i < NUMBERS; i++) {
        cl_uint x = x_of(i), y = y_of(i);
        CHECK_EQ(parts[i], (cl_int)(3 * i + 5 * x + 9 * y + x));
        CHECK_EQ(objects[i], (cl_int)(x + i + 1));
        CHECK_EQ(lengths[i], (cl_int)(4 + y));
    }
    cl_close(&t);
}

/* Each work-item has a variable of its own, and it is set at each entry. */
TEST(initial_values_of_private_variables)
{
    struct cl t = cl_open(0);
    cl_int got[RESULTS];
    compute(&t,
            "%l = OpLoad %i32 %nine Aligned 4\n%m = OpIMul %i32 %l %i\n"
            "OpStore %nine %m Aligned 4\n"
            "%r = OpLoad %i32 %nine Aligned 4\n",
            got);
    for (unsigned i = 0; i < NUMBERS; i++)
        CHECK_EQ(got[i], (cl_int)(9 * i));
    cl_close(&t);
}

/* Strings for tools say nothing to the compiler. */
TEST(decorations_with_strings)
{
    struct cl t = cl_open(0);
    version = "spv1.4";
    struct module m = assemble(
        &t, HEAD "OpEntryPoint Kernel %k \"k\"\n"
                 "OpDecorateString %out UserSemantic \"of 3\"\n"
                 "OpMemberDecorateString %s 0 UserSemantic \"first\"\n"
                 "%void = OpTypeVoid\n%i32 = OpTypeInt 32 0\n"
                 "%s = OpTypeStruct %i32\n"
                 "%ptr = OpTypePointer CrossWorkgroup %i32\n"
                 "%type = OpTypeFunction %void %ptr\n"
                 "%n3 = OpConstant %i32 3\n"
                 "%k = OpFunction %void None %type\n"
                 "%out = OpFunctionParameter %ptr\n%e = OpLabel\n"
                 "OpStore %out %n3 Aligned 4\nOpReturn\nOpFunctionEnd\n");
    version = "spv1.3";
    cl_program p = create(&t, &m);
    const cl_int want[RESULTS] = { 3 };
    check_results(&t, p, want);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Instructions of SPIR-V 1.4 that the translator does not know. */
TEST(instructions_of_1_4)
{
    struct cl t = cl_open(0);
    cl_int copied[RESULTS], memory[RESULTS], pointers[RESULTS];
    version = "spv1.4";
    compute(&t,
            "%p = OpCompositeConstruct %inner %x %i\n"
            "%q = OpCompositeConstruct %two %y %j\n"
            "%s = OpCompositeConstruct %outer %p %q\n"
            "%l = OpCopyLogical %outer2 %s\n"
            "%a = OpCompositeExtract %i32 %l 0 1\n"
            "%d = OpCompositeExtract %i32 %l 1 0\n"
            "%r = OpIMul %i32 %a %d\n",
            copied);
    compute(&t,
            "OpStore %to %x Aligned 4\n"
            "OpCopyMemory %var %to Volatile Aligned 4\n"
            "OpCopyMemorySized %other %var %n4 Aligned|Volatile 4 Aligned 2\n"
            "%d = OpLoad %i32 %other Aligned 4\n"
            "%r = OpIAdd %i32 %d %i\n",
            memory);
    compute(&t,
            "%next = OpInBoundsPtrAccessChain %ptr %to %n9\n"
            "%e = OpPtrEqual %bool %next %to\n"
            "%f = OpPtrNotEqual %bool %next %to\n"
            "%g = OpPtrDiff %i32 %next %to\n"
            "%so = OpBitcast %pouter %to\n"
            "%sn = OpInBoundsPtrAccessChain %pouter %so %n3\n"
            "%h = OpPtrDiff %i64 %so %sn\n%m = OpUConvert %i32 %h\n"
            "%e1 = OpSelect %i32 %e %n4 %n1\n%f1 = OpSelect %i32 %f %n5 %n1\n"
            "%ef = OpIMul %i32 %e1 %f1\n%gh = OpIMul %i32 %g %m\n"
            "%r = OpIAdd %i32 %ef %gh\n",
            pointers);
    version = "spv1.3";
    for (unsigned i = 0; i < NUMBERS; i++) {
        CHECK_EQ(copied[i], (cl_int)(i * y_of(i)));
        CHECK_EQ(memory[i], (cl_int)(x_of(i) + i));
        CHECK_EQ(pointers[i], 5 - 27);
    }
    cl_close(&t);
}

static float
float_of(cl_uint bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* OpFRem has the sign of the first operand, OpFMod that of the second. */
TEST(remainders_of_floats)
{
    struct cl t = cl_open(0);
    cl_int rem[RESULTS], mod[RESULTS], wide[RESULTS];
    static const char operands[] = "%f = OpConvertSToF %f32 %x\n"
                                   "%g = OpConvertSToF %f32 %y\n";
    char text[512];
    snprintf(text, sizeof text,
             "%s%%q = OpFRem %%f32 %%f %%g\n%%r = OpBitcast %%i32 %%q\n",
             operands);
    compute(&t, text, rem);
    snprintf(text, sizeof text,
             "%s%%q = OpFMod %%f32 %%f %%g\n%%r = OpBitcast %%i32 %%q\n",
             operands);
    compute(&t, text, mod);
    snprintf(text, sizeof text,
             "%s%%u = OpUndef %%w2\n%%v = OpCompositeInsert %%w2 %%f %%u 1\n"
             "%%w = OpCompositeInsert %%w2 %%g %%v 0\n"
             "%%z = OpVectorShuffle %%w2 %%w %%w 1 0\n"
             "%%q = OpFRem %%w2 %%z %%w\n"
             "%%p = OpCompositeExtract %%f32 %%q 0\n"
             "%%r = OpBitcast %%i32 %%p\n",
             operands);
    compute(&t, text, wide);
    for (unsigned i = 0; i < NUMBERS; i++) {
        float x = (float)(cl_int)x_of(i), y = (float)(cl_int)y_of(i);
        float r = fmodf(x, y);
        float m = r != 0 && (r < 0) != (y < 0) ? r + y : r;
        CHECK_EQ(rem[i], bits_of(r));
        CHECK(float_of((cl_uint)mod[i]) == m);
        CHECK_EQ(wide[i], rem[i]);
    }
    cl_close(&t);
}

TEST(sub_group_rotation)
{
    struct cl t = cl_open(0);
    cl_int whole[RESULTS], parts[RESULTS], wide[RESULTS];
    compute(&t, "%r = OpGroupNonUniformRotateKHR %i32 %n3 %x %n1\n", whole);
    compute(&t, "%r = OpGroupNonUniformRotateKHR %i32 %n3 %x %n5 %n4\n", parts);
    compute(&t,
            "%l = OpUConvert %i64 %x\n"
            "%m = OpGroupNonUniformRotateKHR %i64 %n3 %l %c3\n"
            "%r = OpUConvert %i32 %m\n",
            wide);
    for (unsigned i = 0; i < NUMBERS; i++) {
        /* A value of a work-item that there is not is undefined. */
        CHECK(i + 1 == NUMBERS || whole[i] == (cl_int)x_of(i + 1));
        CHECK_EQ(parts[i], (cl_int)x_of((i & 4) + (i + 1) % 4));
        CHECK(i + 3 >= NUMBERS || wide[i] == (cl_int)x_of(i + 3));
    }
    cl_close(&t);
}

/* ---- what is refused ---- */

static void
refuse(struct cl *t, const struct module *m)
{
    cl_int code;
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithIL(t->context, m->bytes, m->size, &code));
}

TEST(malformed_modules)
{
    struct cl t = cl_open(0);
    const struct module whole = assemble(&t, constants);
    cl_int code;
    REFUSES(CL_INVALID_CONTEXT,
            clCreateProgramWithIL(NULL, whole.bytes, whole.size, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithIL(t.context, NULL, whole.size, &code));
    REFUSES(CL_INVALID_VALUE,
            clCreateProgramWithIL(t.context, whole.bytes, 0, &code));
    struct module m = whole;
    m.bytes[0] ^= 1; /* no magic number */
    refuse(&t, &m);
    m = whole;
    m.bytes[6] = 9; /* SPIR-V 9 */
    refuse(&t, &m);
    m = whole;
    m.bytes[22] = m.bytes[23] = 0; /* an instruction of no words */
    refuse(&t, &m);
    m = whole;
    m.bytes[22] = m.bytes[23] = 0xff; /* one that is longer than the module */
    refuse(&t, &m);
    m = whole;
    m.size -= 4;
    m.bytes[m.size - 2] = 2; /* the last one */
    refuse(&t, &m);
    m.size = 20; /* no memory model */
    refuse(&t, &m);
    m.size = 18; /* no words */
    refuse(&t, &m);
    cl_close(&t);
}

TEST(other_addresses)
{
    struct cl t = cl_open(0);
    cl_uint bits = ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS);
    struct module m = assemble_for(constants, 96 - bits);
    refuse(&t, &m);
    cl_close(&t);
}

/* A required number of sub-groups would be lost. */
TEST(mode_that_is_missing)
{
    struct cl t = cl_open(0);
    struct module m =
        assemble(&t, "OpCapability SubgroupDispatch\n" HEAD
                     "OpEntryPoint Kernel %k \"k\"\n"
                     "OpExecutionMode %k SubgroupsPerWorkgroup 2\n"
                     "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
                     "%k = OpFunction %void None %type\n%e = OpLabel\n"
                     "OpReturn\nOpFunctionEnd\n");
    refuse(&t, &m);
    cl_close(&t);
}

TEST(capability_that_is_missing)
{
    struct cl t = cl_open(0);
    struct module m =
        assemble(&t, "OpCapability Shader\nOpCapability Pipes\n" HEAD);
    refuse(&t, &m);
    cl_close(&t);
}

static void
fail_build(struct cl *t, const struct module *m, const char *words)
{
    cl_program p = create(t, m);
    FAILS(CL_BUILD_PROGRAM_FAILURE,
          clBuildProgram(p, 1, &t->device, "", NULL, NULL));
    const char *log = cl_log(p, t->device);
    if (!strstr(log, words))
        printf("expected '%s' in: %s\n", words, log);
    CHECK(strstr(log, words));
    OK(clReleaseProgram(p));
}

TEST(invalid_modules)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, HEAD "%v = OpTypeVoid\n%w = OpTypeVoid\n");
    fail_build(&t, &m, "spirv-val");
    /* An instruction without a function of OpenCL C. */
    m = assemble(&t, HEAD
                 "OpEntryPoint Kernel %k \"k\"\n"
                 "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
                 "%i32 = OpTypeInt 32 0\n%ptr = OpTypePointer Function %i32\n"
                 "%n = OpConstant %i32 7\n"
                 "%k = OpFunction %void None %type\n%e = OpLabel\n"
                 "%x = OpCopyObject %i32 %nowhere\n"
                 "OpReturn\nOpFunctionEnd\n");
    fail_build(&t, &m, "spirv-val");
    cl_close(&t);
}

#define BUILTINS(names, width)                                                \
    HEAD "OpEntryPoint Kernel %k \"k\" %a %b\n"                               \
         "OpDecorate %a BuiltIn " names "OpDecorate %a Constant\n"            \
         "OpDecorate %b Constant\n%void = OpTypeVoid\n"                       \
         "%size = OpTypeInt " width " 0\n%ptr = OpTypePointer Input %size\n"  \
         "%to = OpTypePointer CrossWorkgroup %size\n"                         \
         "%type = OpTypeFunction %void %to\n"                                 \
         "%a = OpVariable %ptr Input\n%b = OpVariable %ptr Input\n"           \
         "%k = OpFunction %void None %type\n%out = OpFunctionParameter %to\n" \
         "%e = OpLabel\n%x = OpLoad %size %a\n%y = OpLoad %size %b\n"         \
         "%z = OpIAdd %size %x %y\nOpStore %out %z\nOpReturn\n"               \
         "OpFunctionEnd\n"

TEST(two_variables_of_one_builtin)
{
    struct cl t = cl_open(0);
    struct module m =
        assemble(&t, BUILTINS("LocalInvocationIndex\nOpDecorate %b BuiltIn "
                              "LocalInvocationIndex\n"
                              "OpDecorate %b LinkageAttributes \"b\" Import\n",
                              "@"));
    fail_build(&t, &m, "the only variable with its BuiltIn");
    m = assemble(&t, BUILTINS("LocalInvocationIndex\n"
                              "OpDecorate %b BuiltIn GlobalLinearId\n",
                              "@"));
    cl_program p = create(&t, &m);
    OK(clBuildProgram(p, 1, &t.device, "", NULL, NULL));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(builtin_of_another_width)
{
    struct cl t = cl_open(0);
    struct module m =
        assemble(&t, BUILTINS("LocalInvocationIndex\n"
                              "OpDecorate %b BuiltIn GlobalLinearId\n",
                              "32"));
    cl_program p = create(&t, &m);
    if (ASK_DEVICE(cl_uint, CL_DEVICE_ADDRESS_BITS) == 32)
        OK(clBuildProgram(p, 1, &t.device, "", NULL, NULL));
    else
        fail_build(&t, &m, "called with other types");
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Any bytes end in a code and a message. */
TEST(damaged_modules)
{
    struct cl t = cl_open(0);
    const struct module whole = assemble(&t, constants);
    uint32_t seed = 1;
    for (unsigned round = 0; round < 40; round++) {
        struct module m = whole;
        for (unsigned i = 0; i < 1 + round % 3; i++) {
            seed = seed * 1664525 + 1013904223;
            m.bytes[20 + (seed >> 8) % (m.size - 20)] = (uint8_t)(seed >> 3);
        }
        cl_int code;
        cl_program p = clCreateProgramWithIL(t.context, m.bytes, m.size, &code);
        CHECK(p || code == CL_INVALID_VALUE);
        if (!p)
            continue;
        code = clBuildProgram(p, 1, &t.device, "", NULL, NULL);
        CHECK(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
        CHECK(code == CL_SUCCESS || *cl_log(p, t.device));
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* ---- queries ---- */

enum { SETS = 0x12b9, EXTENSIONS = 0x12ba, CAPABILITIES = 0x12bb };

TEST(queries)
{
    struct cl t = cl_open(0);
    char versions[128];
    cl_name_version list[8];
    const char *names[64];
    cl_uint capabilities[128];
    size_t size;
    bool kernel = false, shader = false, std = false;
    OK(clGetDeviceInfo(t.device, CL_DEVICE_IL_VERSION, sizeof versions,
                       versions, NULL));
    CHECK_STR(versions, "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 "
                        "SPIR-V_1.4");
    OK(clGetDeviceInfo(t.device, CL_DEVICE_ILS_WITH_VERSION, sizeof list, list,
                       &size));
    CHECK_EQ(size, 5 * sizeof *list);
    CHECK_STR(list[4].name, "SPIR-V");
    CHECK_EQ(list[4].version, CL_MAKE_VERSION(1, 4, 0));
    OK(clGetDeviceInfo(t.device, CAPABILITIES, sizeof capabilities,
                       capabilities, &size));
    for (size_t i = 0; i < size / sizeof *capabilities; i++) {
        kernel |= capabilities[i] == 6;
        shader |= capabilities[i] == 1;
    }
    CHECK(kernel && !shader);
    OK(clGetDeviceInfo(t.device, SETS, sizeof names, names, &size));
    for (size_t i = 0; i < size / sizeof *names; i++)
        std |= strcmp(names[i], "OpenCL.std") == 0;
    CHECK(std);
    OK(clGetDeviceInfo(t.device, EXTENSIONS, sizeof names, names, &size));
    CHECK(size >= sizeof *names);
    cl_close(&t);
}

/* The entry of cl_khr_il_program is the same. */
TEST(entry_of_the_extension)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    clCreateProgramWithILKHR_fn entry = (clCreateProgramWithILKHR_fn)(uintptr_t)
        clGetExtensionFunctionAddressForPlatform(t.platform,
                                                 "clCreateProgramWithILKHR");
    CHECK(entry);
    cl_int code;
    cl_program p;
    CREATES(p, entry(t.context, m.bytes, m.size, &code));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Without the programs that read SPIR-V no device takes it. */
TEST(programs_that_are_missing)
{
    struct cl t = cl_open(0);
    struct module m = assemble(&t, constants);
    char text[8] = "x";
    cl_int code;
    setenv("VENTUS_LLVM_SPIRV", "/nonexistent/llvm-spirv", 1);
    REFUSES(CL_INVALID_OPERATION,
            clCreateProgramWithIL(t.context, m.bytes, m.size, &code));
    OK(clGetDeviceInfo(t.device, CL_DEVICE_IL_VERSION, sizeof text, text,
                       NULL));
    CHECK_STR(text, "");
    unsetenv("VENTUS_LLVM_SPIRV");
    cl_close(&t);
}

static bool
has_tools(void)
{
    return system("command -v spirv-as spirv-val llvm-spirv-15 >/dev/null") ==
           0;
}

int
main(int argc, char **argv)
{
    char remove[64];
    if (!has_tools())
        return test_skipped("no spirv-as, spirv-val or llvm-spirv-15 "
                            "(scripts/setup installs them)");
    CHECK(mkdtemp(folder));
    int status = test_main(argc, argv);
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    CHECK_EQ(system(remove), 0);
    return status;
}
