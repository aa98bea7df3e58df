/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/platform/version.h"
#include "base/arith.h"

#include <assert.h>

#include "abi/opencl.h"

/* Names, each after a space. */
#define NAME_ALL(text)    " " text
#define NAME_SHARED(text) ""
#define EXTENSION(name, major, minor, patch, language, devices) \
    NAME_##devices(#name)
static const char all_names[] =
#include "abi/extension.def"
    ;
#define EXTENSION(name, major, minor, patch, language, devices) " " #name
static const char shared_names[] =
#include "abi/extension.def"
    ;
const char *const version_extensions = all_names + 1;
const char *const version_extensions_shared = shared_names + 1;

enum { ALL, SHARED };

struct row {
    cl_name_version what;
    int devices;
};

#define ROW(name, major, minor, patch, language, devices) \
    { { CL_MAKE_VERSION(major, minor, patch), #name }, devices },

/* Answers with the rows of all devices, or also with those of shared memory. */
static cl_int
put_rows(const struct info *info, const struct row *rows, size_t n, bool shared)
{
    enum { ROWS_MAX = 64 };
    cl_name_version list[ROWS_MAX];
    size_t k = 0;
    assert(n <= ROWS_MAX && "extension.def has fewer rows");
    for (size_t i = 0; i < n; i++)
        if (shared || rows[i].devices == ALL)
            list[k++] = rows[i].what;
    return info_put(info, list, k * sizeof *list);
}

cl_int
version_put_extensions(const struct info *info, bool shared)
{
    static const struct row rows[] = {
#define EXTENSION ROW
#include "abi/extension.def"
    };
    return put_rows(info, rows, ARRAY_SIZE(rows), shared);
}

cl_int
version_put_c_features(const struct info *info, bool shared)
{
    static const struct row rows[] = {
#define FEATURE ROW
#include "abi/extension.def"
    };
    return put_rows(info, rows, ARRAY_SIZE(rows), shared);
}

#define TEXT_VERSION(text, major, minor, patch) \
    { CL_MAKE_VERSION(major, minor, patch), text },

cl_int
version_put_c_versions(const struct info *info)
{
    static const cl_name_version list[] = { OPENCL_C_VERSIONS(TEXT_VERSION) };
    return info_put(info, list, sizeof list);
}

/* ---- SPIR-V ---- */

cl_int
version_put_il(const struct info *info, bool reads)
{
    static const char all[] =
#define SPIRV_VERSION(major, minor) " SPIR-V_" #major "." #minor
#include "abi/spirv.def"
        ;
    return info_string(info, reads ? all + 1 : "");
}

cl_int
version_put_ils(const struct info *info, bool reads)
{
    static const cl_name_version list[] = {
#define SPIRV_VERSION(major, minor) \
    { CL_MAKE_VERSION(major, minor, 0), "SPIR-V" },
#include "abi/spirv.def"
    };
    return info_put(info, list, reads ? sizeof list : 0);
}

cl_int
version_put_spirv(const struct info *info, cl_device_info what, bool reads)
{
    static const char *const sets[] = {
#define INSTRUCTIONS(name) #name,
#include "abi/spirv.def"
    };
    static const char *const extensions[] = {
#define SPIRV_EXTENSION(name) #name,
#include "abi/spirv.def"
    };
    static const cl_uint capabilities[] = {
#define CAPABILITY(name, number) number,
#include "abi/spirv.def"
    };
    if (what == VERSION_SPIRV_EXTENDED_INSTRUCTION_SETS)
        return info_put(info, sets, reads ? sizeof sets : 0);
    if (what == VERSION_SPIRV_EXTENSIONS)
        return info_put(info, extensions, reads ? sizeof extensions : 0);
    assert(what == VERSION_SPIRV_CAPABILITIES && "one of three queries");
    return info_put(info, capabilities, reads ? sizeof capabilities : 0);
}
