// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies that attract each other: each step sums up the forces of all on each.
 * A work-group copies as many bodies as it has work-items to local memory,
 * adds their forces, and goes on with the next.  Positions are x, y, z, mass.
 */
#include "example.h"

enum { LOCAL = 64 };

static const char source[] =
    "kernel void advance(global const float4 *from, global float4 *to,\n"
    "                    global float4 *velocity, int n, float dt)\n"
    "{\n"
    "    local float4 some[LOCAL];\n"
    "    int i = get_global_id(0), me = get_local_id(0);\n"
    "    float4 mine = i < n ? from[i] : (float4)(0);\n"
    "    float3 force = (float3)(0);\n"
    "    for (int first = 0; first < n; first += LOCAL) {\n"
    "        /* behind the last: no mass, no force */\n"
    "        some[me] = first + me < n ? from[first + me] : (float4)(0);\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = 0; k < LOCAL; k++) {\n"
    "            float3 d = some[k].xyz - mine.xyz;\n"
    "            float r = rsqrt(dot(d, d) + 0.01f);\n"
    "            force += d * (some[k].w * r * r * r);\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (i < n) {\n"
    "        float3 v = velocity[i].xyz + force * dt;\n"
    "        velocity[i] = (float4)(v, 0);\n"
    "        to[i] = (float4)(mine.xyz + v * dt, mine.w);\n"
    "    }\n"
    "}\n";

/* The same step on the host, in double. */
static void
host_step(int n, const double *from, double *to, double *velocity, double dt)
{
    for (int i = 0; i < n; i++) {
        double force[3] = { 0 };
        for (int k = 0; k < n; k++) {
            double d[3], r2 = 0.01f;
            for (int c = 0; c < 3; c++) {
                d[c] = from[4 * k + c] - from[4 * i + c];
                r2 += d[c] * d[c];
            }
            for (int c = 0; c < 3; c++)
                force[c] += d[c] * from[4 * k + 3] / (r2 * sqrt(r2));
        }
        for (int c = 0; c < 3; c++) {
            velocity[4 * i + c] += force[c] * dt;
            to[4 * i + c] = from[4 * i + c] + velocity[4 * i + c] * dt;
        }
        to[4 * i + 3] = from[4 * i + 3];
    }
}

static size_t
count_wrong(int n, int steps, float dt, const float *start, const float *end)
{
    size_t size = 4 * (size_t)n, wrong = 0;
    double *from = example_alloc(size, sizeof(double));
    double *to = example_alloc(size, sizeof(double));
    double *velocity = example_alloc(size, sizeof(double));
    for (size_t i = 0; i < size; i++)
        from[i] = start[i];
    for (int i = 0; i < steps; i++) {
        host_step(n, from, to, velocity, dt);
        double *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < size; i++)
        wrong += !(fabs(end[i] - from[i]) <= 1e-5 * (1 + fabs(from[i])));
    free(from);
    free(to);
    free(velocity);
    return wrong;
}

int
main(int argc, char **argv)
{
    int n = 500, steps = 3;
    const struct example_option options[] = {
        { "n", "bodies", &n, 1, 1 << 20, NULL },
        { "steps", "steps of time", &steps, 1, 1000, NULL },
        { 0 },
    };
    struct example ex = example_open("Moves bodies that attract each other.",
                                     argc, argv, options);
    char local[32];
    snprintf(local, sizeof local, "-DLOCAL=%d", LOCAL);
    cl_kernel kernel = example_kernel(&ex, source, "advance", local);

    size_t floats = 4 * (size_t)n, size = floats * sizeof(float);
    float *start = example_alloc(floats, sizeof(float));
    float *end = example_alloc(floats, sizeof(float));
    uint32_t seed = 6;
    for (size_t i = 0; i < floats; i++) {
        float random = example_random_float(&seed);
        start[i] = i % 4 == 3 ? random / (float)n : 2 * random - 1;
    }

    float dt = 0.01f;
    cl_mem at[2], velocity;
    at[0] = example_buffer(&ex, CL_MEM_READ_WRITE, size, NULL);
    at[1] = example_buffer(&ex, CL_MEM_READ_WRITE, size, NULL);
    velocity = example_buffer(&ex, CL_MEM_READ_WRITE, size, NULL);
    CHECK(clSetKernelArg(kernel, 2, sizeof velocity, &velocity));
    CHECK(clSetKernelArg(kernel, 3, sizeof(cl_int), &n));
    CHECK(clSetKernelArg(kernel, 4, sizeof dt, &dt));
    for (int i = 0; i < ex.repeat; i++) {
        CHECK(clEnqueueWriteBuffer(ex.queue, at[0], CL_FALSE, 0, size, start, 0,
                                   NULL, NULL));
        CHECK(clEnqueueFillBuffer(ex.queue, velocity, &(cl_float){ 0 },
                                  sizeof(cl_float), 0, size, 0, NULL, NULL));
        example_start(&ex);
        for (int step = 0; step < steps; step++) {
            CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &at[step % 2]));
            CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &at[1 - step % 2]));
            CHECK(clEnqueueNDRangeKernel(
                ex.queue, kernel, 1, NULL,
                &(size_t){ example_round_up((size_t)n, LOCAL) },
                &(size_t){ LOCAL }, 0, NULL, NULL));
        }
        example_stop(&ex);
    }
    CHECK(clEnqueueReadBuffer(ex.queue, at[steps % 2], CL_TRUE, 0, size, end, 0,
                              NULL, NULL));

    size_t wrong = count_wrong(n, steps, dt, start, end);
    free(start);
    free(end);
    return example_close(&ex, wrong, floats, "coordinates");
}
