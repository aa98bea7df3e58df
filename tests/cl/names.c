/* SPDX-License-Identifier: Apache-2.0 */
/* Names that the configuration sets: VENTUS_DEVICES has a device without them, one with
 * all and one with its vendor. */
#include "cl.h"

enum { DEVICES = 3, QUERIES = 4 };

static const cl_device_info queries[QUERIES] = {
    CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_VERSION
};

static void
ask_names(char text[DEVICES][QUERIES][128])
{
    cl_platform_id platform;
    cl_device_id id[DEVICES];
    cl_uint n = 0;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, id, &n));
    CHECK_EQ(n, DEVICES);
    for (int i = 0; i < DEVICES; i++)
        for (int k = 0; k < QUERIES; k++)
            OK(clGetDeviceInfo(id[i], queries[k], sizeof text[i][k], text[i][k],
                               NULL));
}

TEST(names_by_configuration)
{
    static char text[DEVICES][QUERIES][128];
    ask_names(text);
    CHECK_STR(text[0][0], "Ventus default");
    CHECK_STR(text[1][0], "Adreno of a test");
    CHECK_STR(text[1][1], "Example Inc.");
    CHECK_STR(text[1][2], "31.0.1");
    CHECK_STR(text[2][0], "Ventus lanes8:vendor=Example Inc.");
    CHECK_STR(text[2][1], "Example Inc.");
    CHECK_STR(text[2][2], text[0][2]);
}

/* The version begins as the specification has it, and says who gave the names. */
TEST(the_version_tells_of_them)
{
    static char text[DEVICES][QUERIES][128];
    const char *told = " (names by configuration)";
    ask_names(text);
    CHECK(strncmp(text[0][3], "OpenCL 3.", 9) == 0);
    CHECK(!strstr(text[0][3], told));
    for (int i = 1; i < DEVICES; i++) {
        char expected[160];
        snprintf(expected, sizeof expected, "%s%s", text[0][3], told);
        CHECK_STR(text[i][3], expected);
    }
}

TEST_MAIN
