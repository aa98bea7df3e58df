/* SPDX-License-Identifier: Apache-2.0 */
#include <ventus/version.h>

const char *
ventus_version(void)
{
    return VENTUS_VERSION;
}

unsigned
ventus_version_number(void)
{
    return VENTUS_VERSION_NUMBER;
}
