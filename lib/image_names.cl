/* SPDX-License-Identifier: Apache-2.0 */
/* The names of image functions, for each type of image and coordinate. */
#include "image.h"

/* ---- coordinates: x, y, z, layer ---- */
/* clang-format off */

#define AT_image1d(T, c)        ((T##4)(c, 0, 0, 0))
#define AT_image1d_buffer(T, c) ((T##4)(c, 0, 0, 0))
#define AT_image1d_array(T, c)  ((T##4)((c).x, 0, 0, (c).y))
#define AT_image2d(T, c)        ((T##4)(c, 0, 0))
#define AT_image2d_array(T, c)  ((T##4)((c).xy, 0, (c).z))
#define AT_image3d(T, c)        ((T##4)((c).xyz, 0))

#define SHAPE_image1d        1, false
#define SHAPE_image1d_buffer 1, false
#define SHAPE_image1d_array  1, true
#define SHAPE_image2d        2, false
#define SHAPE_image2d_array  2, true
#define SHAPE_image3d        3, false

/* X(type, its coordinates, access) */
#define FOR_ACCESS(X, access)          \
    X(image1d, , access)               \
    X(image1d_buffer, , access)        \
    X(image1d_array, 2, access)        \
    X(image2d, 2, access)              \
    X(image2d_array, 4, access)        \
    X(image3d, 4, access)

/* ---- reads ---- */

#define READ(type, n, access, T, S) \
    OVERLOAD __attribute__((pure)) T \
    read_image##S(access type##_t i, int##n c) \
    { \
        return __image_load_##S(handle_of(i), SHAPE_##type, \
                                AT_##type(int, c)); \
    }
#define READ_HALF(type, n, access) \
    OVERLOAD __attribute__((pure)) half4 \
    read_imageh(access type##_t i, int##n c) \
    { \
        return __builtin_convertvector(read_imagef(i, c), half4); \
    }
#define READS(type, n, access) \
    READ(type, n, access, float4, f) \
    READ(type, n, access, int4, i) \
    READ(type, n, access, uint4, ui) \
    READ_HALF(type, n, access)
FOR_ACCESS(READS, read_only)
FOR_ACCESS(READS, read_write)

#define SAMPLE(type, n, T, S) \
    OVERLOAD __attribute__((pure)) T \
    read_image##S(read_only type##_t i, sampler_t s, int##n c) \
    { \
        return __image_fetch_##S(handle_of(i), SHAPE_##type, \
                                 __ventus_sampler(s), AT_##type(int, c)); \
    } \
    OVERLOAD __attribute__((pure)) T \
    read_image##S(read_only type##_t i, sampler_t s, float##n c) \
    { \
        return __image_sample_##S(handle_of(i), SHAPE_##type, \
                                  __ventus_sampler(s), AT_##type(float, c)); \
    }
#define SAMPLE_HALF(type, at) \
    OVERLOAD __attribute__((pure)) half4 \
    read_imageh(read_only type##_t i, sampler_t s, at c) \
    { \
        return __builtin_convertvector(read_imagef(i, s, c), half4); \
    }
#define SAMPLES(type, n) \
    SAMPLE(type, n, float4, f) \
    SAMPLE(type, n, int4, i) \
    SAMPLE(type, n, uint4, ui) \
    SAMPLE_HALF(type, int##n) \
    SAMPLE_HALF(type, float##n)
SAMPLES(image1d, )
SAMPLES(image1d_array, 2)
SAMPLES(image2d, 2)
SAMPLES(image2d_array, 4)
SAMPLES(image3d, 4)

/* ---- writes ---- */

#define WRITE(type, n, access, T, S) \
    OVERLOAD void \
    write_image##S(access type##_t i, int##n c, T color) \
    { \
        __image_store_##S(handle_of(i), SHAPE_##type, AT_##type(int, c), \
                          color); \
    }
#define WRITE_HALF(type, n, access) \
    OVERLOAD void \
    write_imageh(access type##_t i, int##n c, half4 color) \
    { \
        write_imagef(i, c, __builtin_convertvector(color, float4)); \
    }
#define WRITES(type, n, access) \
    WRITE(type, n, access, float4, f) \
    WRITE(type, n, access, int4, i) \
    WRITE(type, n, access, uint4, ui) \
    WRITE_HALF(type, n, access)
FOR_ACCESS(WRITES, write_only)
FOR_ACCESS(WRITES, read_write)

/* ---- queries ---- */

#define QUERY(type, access, T, name, ...) \
    PURE T get_image_##name(access type##_t i) \
    { \
        image d = handle_of(i); \
        return __VA_ARGS__; \
    }
#define QUERIES(type, access) \
    QUERY(type, access, int, width, (int)d->width) \
    QUERY(type, access, int, channel_data_type, (int)d->cl_type) \
    QUERY(type, access, int, channel_order, (int)d->cl_order)
FOR_IMAGES(QUERIES)

#define QUERIES_2D(access) \
    QUERY(image2d, access, int, height, (int)d->height) \
    QUERY(image2d_array, access, int, height, (int)d->height) \
    QUERY(image3d, access, int, height, (int)d->height) \
    QUERY(image3d, access, int, depth, (int)d->depth) \
    QUERY(image2d, access, int2, dim, (int2)(d->width, d->height)) \
    QUERY(image2d_array, access, int2, dim, (int2)(d->width, d->height)) \
    QUERY(image3d, access, int4, dim, \
          (int4)(d->width, d->height, d->depth, 0)) \
    QUERY(image1d_array, access, size_t, array_size, d->layers) \
    QUERY(image2d_array, access, size_t, array_size, d->layers)
QUERIES_2D(read_only)
QUERIES_2D(write_only)
QUERIES_2D(read_write)
