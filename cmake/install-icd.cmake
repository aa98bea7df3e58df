# SPDX-License-Identifier: Apache-2.0
# While installing: the .icd file, which is the path of the library.  Loaders
# look into /etc, so a prefix of /usr means that one.
# Variables: LIBDIR SYSCONFDIR, below the prefix; SCRATCH, a folder.
set(etc ${CMAKE_INSTALL_PREFIX}/${SYSCONFDIR})
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(etc /${SYSCONFDIR})
endif()
file(WRITE ${SCRATCH}/ventus.icd
    "${CMAKE_INSTALL_PREFIX}/${LIBDIR}/libventus-opencl.so\n")
file(INSTALL ${SCRATCH}/ventus.icd DESTINATION ${etc}/OpenCL/vendors)
