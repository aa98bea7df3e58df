# SPDX-License-Identifier: Apache-2.0
# Cross-compiles for aarch64 with Debian's gcc-aarch64-linux-gnu; libraries that it
# does not have are in build/aarch64-root (scripts/sysroot).  Each program becomes a
# script that runs it under qemu-aarch64, so that tests start it as any other.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-root
    /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# CMake runs programs of the build by name only if it has an emulator; ours is in
# the programs.
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/bin/env)
# Its shared libraries are where no loader looks.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_LINK_EXECUTABLE "<CMAKE_C_COMPILER> <FLAGS> <CMAKE_C_LINK_FLAGS> \
<LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES>"
    "${CMAKE_CURRENT_LIST_DIR}/emulate.sh <TARGET>")
