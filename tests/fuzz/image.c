/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Image descriptors and regions, through the runtime's own entries: any
 * numbers in cl_image_desc, in cl_image_format, in origin and region of
 * transfers.  What is created has room for what its numbers say,
 * computed here in 128 bits; a region is accepted if it is inside, and what is
 * written there is read back.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "random.h"

struct __attribute__((packed)) input {
    uint8_t type, order, data_type, flags; /* bits 0-1: host memory */
    uint64_t width, height, depth, layers, row, slice;
    uint8_t levels, samples, buffer;
    uint64_t origin[3], region[3];
};

enum { ROOM = 1 << 22 };
typedef unsigned __int128 wide;

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

int
LLVMFuzzerInitialize(int *argc, char ***argv);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    cl_platform_id platform;
    cl_int code;
    setenv("VENTUS_DEVICES", "default:num_sm=1:memory_size=64M:host_threads=1",
           1);
    setenv("VENTUS_LOG", "0", 1);
    require(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no platform");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
                CL_SUCCESS,
            "no device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    require(code == CL_SUCCESS, "no context");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &code);
    require(code == CL_SUCCESS, "no queue");
    return 0;
}

static wide
at_least(wide x, wide least)
{
    return x > least ? x : least;
}

/* Which numbers a type has (OpenCL 3.0, table of cl_image_desc), a bit each:
 * buffer, 2D, 3D, 2D array, 1D, 1D array, 1D of a buffer, pipe. */
enum { HAS_HEIGHT = 0x0e, HAS_DEPTH = 0x04, HAS_LAYERS = 0x28, KINDS = 8 };

static wide
number(const struct input *in, unsigned types, uint64_t value)
{
    return types >> in->type % KINDS & 1 ? at_least(value, 1) : 1;
}

/* Bytes of host memory that the numbers speak of, pixels of `pixel` bytes. */
static wide
host_bytes(const struct input *in, unsigned pixel)
{
    wide row = at_least(in->row, (wide)in->width * pixel);
    wide slice = row * number(in, HAS_HEIGHT, in->height);
    slice = at_least(slice, number(in, HAS_DEPTH | HAS_LAYERS, in->slice));
    return slice * number(in, HAS_DEPTH, in->depth) *
           number(in, HAS_LAYERS, in->layers);
}

static size_t
get(cl_mem image, cl_image_info what)
{
    size_t value = 0;
    require(clGetImageInfo(image, what, sizeof value, &value, NULL) ==
                CL_SUCCESS,
            "no information");
    return value;
}

static void
require_room(cl_mem image, const struct input *in)
{
    size_t size = 0;
    wide row = get(image, CL_IMAGE_ROW_PITCH);
    wide slice = get(image, CL_IMAGE_SLICE_PITCH);
    size_t height = get(image, CL_IMAGE_HEIGHT);
    size_t depth = get(image, CL_IMAGE_DEPTH);
    size_t layers = get(image, CL_IMAGE_ARRAY_SIZE);
    clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof size, &size, NULL);
    require(row >= (wide)in->width * get(image, CL_IMAGE_ELEMENT_SIZE),
            "a row that has no room");
    require(!slice || slice >= row * at_least(height, 1),
            "a slice that has no room");
    wide all = slice ? slice * at_least(depth, 1) * at_least(layers, 1)
                     : row * at_least(height, 1);
    require(size >= all, "an image that has no room");
}

/* Sizes of the image as transfers count them: the layer comes last. */
static void
extents(cl_mem image, uint8_t kind, wide n[3])
{
    n[0] = get(image, CL_IMAGE_WIDTH);
    n[1] = at_least(get(image, CL_IMAGE_HEIGHT), 1);
    n[2] = at_least(get(image, CL_IMAGE_DEPTH), 1);
    size_t layers = get(image, CL_IMAGE_ARRAY_SIZE);
    if (HAS_LAYERS >> kind & 1)
        n[HAS_HEIGHT >> kind & 1 ? 2 : 1] = layers;
}

static void
transfer(cl_mem image, const struct input *in, uint8_t kind)
{
    size_t origin[3], region[3], element = get(image, CL_IMAGE_ELEMENT_SIZE);
    wide n[3], bytes = element;
    bool inside = true;
    extents(image, kind, n);
    for (unsigned i = 0; i < 3; i++) {
        origin[i] = in->origin[i];
        region[i] = in->region[i];
        inside =
            inside && region[i] && (wide)in->origin[i] + in->region[i] <= n[i];
        bytes *= region[i] < ROOM ? region[i] : ROOM;
    }
    if (inside && bytes > ROOM)
        return;
    uint8_t *from = malloc(inside ? bytes : 1),
            *to = malloc(inside ? bytes : 1);
    for (size_t i = 0; inside && i < bytes; i++)
        from[i] = (uint8_t)(i * 7 + 1);
    cl_int code = clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0,
                                      0, from, 0, NULL, NULL);
    if (code != CL_INVALID_OPERATION) /* host access flags */
        require((code == CL_SUCCESS) == inside, "a region, wrongly judged");
    if (code == CL_SUCCESS &&
        clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, to, 0,
                           NULL, NULL) == CL_SUCCESS)
        require(memcmp(from, to, bytes) == 0, "what was written is not read");
    free(from);
    free(to);
    const uint32_t color[4] = { 1, 2, 3, 4 };
    code =
        clEnqueueFillImage(queue, image, color, origin, region, 0, NULL, NULL);
    require((code == CL_SUCCESS) == inside, "a region to fill, wrongly judged");
    clFinish(queue);
}

static void
try(const struct input *in, cl_mem buffer, void *host, bool absurd)
{
    static const cl_mem_flags use[] = { 0, CL_MEM_COPY_HOST_PTR,
                                        CL_MEM_USE_HOST_PTR,
                                        CL_MEM_ALLOC_HOST_PTR };
    uint8_t kind = in->type % KINDS;
    cl_image_format format = { CL_R + in->order % 20,
                               CL_SNORM_INT8 + in->data_type % 20 };
    cl_image_desc desc = { .image_type = CL_MEM_OBJECT_BUFFER + kind,
                           .image_width = in->width,
                           .image_height = in->height,
                           .image_depth = in->depth,
                           .image_array_size = in->layers,
                           .image_row_pitch = in->row,
                           .image_slice_pitch = in->slice,
                           .num_mip_levels = in->levels,
                           .num_samples = in->samples,
                           .mem_object = in->buffer & 1 ? buffer : NULL };
    unsigned how = in->buffer & 1 ? 0 : in->flags & 3;
    bool needs = how == 1 || how == 2;
    cl_int code;
    cl_mem image = clCreateImage(context, use[how], &format, &desc,
                                 needs ? host : NULL, &code);
    require((image != NULL) == (code == CL_SUCCESS), "no image, no error");
    if (!image)
        return;
    require(!absurd || !needs, "more memory than there is");
    require_room(image, in);
    transfer(image, in, kind);
    clReleaseMemObject(image);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input in;
    if (size < sizeof in)
        return 0;
    memcpy(&in, bytes, sizeof in);
    wide n = host_bytes(&in, 16);
    bool absurd = host_bytes(&in, 1) >= (wide)1 << 47;
    if (n > ROOM && !absurd)
        return 0; /* it may be created; the host would notice */
    void *host = calloc(1, absurd ? 16 : (size_t)n + 16);
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, 0, 1 << 14, NULL, &code);
    try(&in, buffer, host, absurd);
    clReleaseMemObject(buffer);
    clFinish(queue);
    free(host);
    return 0;
}

/* ---- the mutator ---- */

static uint64_t
draw(struct rng *r)
{
    static const uint64_t corner[] = { 16383,      16384,      16385,
                                       2048,       2049,       65536,
                                       1ull << 31, 1ull << 32, 1ull << 60,
                                       1ull << 62, 1ull << 63, ~0ull };
    return rng_one_of(r, 4)   ? corner[rng_below(r, 12)]
           : rng_one_of(r, 4) ? 16 * rng_below(r, 40)
                              : rng_below(r, 9);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size,
                        unsigned seed)
{
    struct rng r = rng_of(seed);
    struct input in = { 0 };
    if (max_size < sizeof in)
        return LLVMFuzzerMutate(bytes, size, max_size);
    if (size < sizeof in) { /* one that is right */
        in = (struct input){ .type = 1,
                             .order = 5,
                             .data_type = 2,
                             .width = 8,
                             .height = 8,
                             .region = { 4, 4, 1 } };
        memcpy(bytes, &in, sizeof in);
        return sizeof in;
    }
    memcpy(&in, bytes, sizeof in);
    for (unsigned times = 1 + rng_below(&r, 3); times; times--) {
        unsigned k = rng_below(&r, 18);
        uint64_t x = draw(&r);
        if (k < 6) /* width to slice, one behind the other */
            memcpy((char *)&in + offsetof(struct input, width) + 8 * k, &x, 8);
        else if (k < 9)
            in.origin[k - 6] = x;
        else if (k < 12)
            in.region[k - 9] = x;
        else if (k == 12)
            in.type = (uint8_t)rng_word(&r);
        else if (k == 13)
            in.order = (uint8_t)rng_word(&r);
        else if (k == 14)
            in.data_type = (uint8_t)rng_word(&r);
        else if (k == 15)
            in.flags = (uint8_t)rng_word(&r);
        else if (k == 16)
            in.buffer = (uint8_t)rng_word(&r);
        else
            in.levels = rng_one_of(&r, 8);
    }
    memcpy(bytes, &in, sizeof in);
    return sizeof in;
}
