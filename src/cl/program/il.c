/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in SPIR-V: creation and specialization constants. */
#include <string.h>

#include "abi/spirv.h"
#include "cl/program/compiler.h"
#include "cl/program/program.h"

/* Whether a module is for one of the context's devices; `why` of the module is about the
 * last one if not. */
static bool
fits_a_device(cl_context context, struct spirv *m)
{
    for (cl_uint i = 0; i < context->n_devices; i++)
        if (spirv_fits(m, context->devices[i]->address_bits))
            return true;
    return false;
}

/* Keeps the module twice: as it came, for queries, and as constants change it. */
static bool
keep_module(cl_program p, const void *il, size_t size)
{
    if (!buf_reserve(&p->il, size) || !buf_reserve(&p->module, size))
        return false;
    buf_put(&p->il, il, size);
    buf_put(&p->module, il, size);
    return true;
}

static cl_int
create_with_il(cl_context context, const void *il, size_t length,
               cl_program *program)
{
    struct spirv m;
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(il && length, CL_INVALID_VALUE, "length is %zu and il is %s",
              length, il ? "given" : "NULL");
    CL_EXPECT(compiler_reads_spirv(), CL_INVALID_OPERATION,
              "no device takes programs in an intermediate language: SPIR-V "
              "needs the programs spirv-val and llvm-spirv-15");
    CL_EXPECT(spirv_read(&m, il, length), CL_INVALID_VALUE, "%s", m.why);
    CL_EXPECT(fits_a_device(context, &m), CL_INVALID_VALUE, "%s", m.why);
    cl_program p = program_new(context, context->n_devices, context->devices);
    CL_REQUIRE(p, CL_OUT_OF_HOST_MEMORY);
    if (!keep_module(p, il, length)) {
        object_unref(p);
        return cl_refuse(CL_OUT_OF_HOST_MEMORY,
                         "the host has no memory for the module");
    }
    *program = p;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL
clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                      cl_int *errcode_ret)
{
    cl_program program = NULL;
    CL_RETURN(create_with_il(context, il, length, &program), program);
}

CL_API_ENTRY cl_int CL_API_CALL
clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
                                   size_t spec_size, const void *spec_value)
{
    struct spirv m;
    CL_REQUIRE(program_is(program), CL_INVALID_PROGRAM);
    CL_EXPECT(program->il.n, CL_INVALID_PROGRAM,
              "the program was not created with clCreateProgramWithIL");
    bool read = spirv_read(&m, program->il.at, program->il.n);
    size_t size = read ? spirv_constant_B(&m, spec_id) : 0;
    CL_EXPECT(size, CL_INVALID_SPEC_ID,
              "the module has no specialization constant %u", spec_id);
    CL_EXPECT(spec_value && spec_size == size, CL_INVALID_VALUE,
              "spec_size is %zu and spec_value is %s; constant %u has %zu "
              "bytes",
              spec_size, spec_value ? "given" : "NULL", spec_id, size);
    pthread_mutex_lock(&program->lock);
    program_wait(program);
    spirv_specialise(program->module.at, program->module.n, spec_id,
                     spec_value);
    pthread_mutex_unlock(&program->lock);
    return CL_SUCCESS;
}
