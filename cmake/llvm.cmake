# SPDX-License-Identifier: Apache-2.0
# What the OpenCL C compiler needs: LLVM's C API, clang as a program, libclc.
# Without them everything else is built.
find_program(VENTUS_LLVM_CONFIG llvm-config-19 DOC "Of LLVM 19.1")
find_program(VENTUS_CLANG clang-19 DOC "The OpenCL C front end")
find_file(VENTUS_LIBCLC nvptx--.bc PATHS /usr/lib/clc /usr/share/clc
    DOC "libclc 19, the variant with 32-bit pointers")
find_file(VENTUS_LIBCLC64 nvptx64--.bc PATHS /usr/lib/clc /usr/share/clc
    DOC "libclc 19, the variant with 64-bit pointers")
find_library(VENTUS_ZLIB libz.a DOC "Which LLVM's archives need")
find_library(VENTUS_ZSTD libzstd.a DOC "Which LLVM's archives need")
find_library(VENTUS_SECCOMP seccomp DOC "The sandbox of the compiler")
find_path(VENTUS_SECCOMP_INCLUDE seccomp.h DOC "Its header")
set(found OFF)
if(VENTUS_LLVM_CONFIG AND VENTUS_CLANG AND VENTUS_LIBCLC AND VENTUS_LIBCLC64 AND VENTUS_ZLIB
        AND VENTUS_ZSTD AND VENTUS_SECCOMP AND VENTUS_SECCOMP_INCLUDE)
    set(found ON)
endif()
option(VENTUS_LLVM "Build the OpenCL C compiler" ${found})
if(VENTUS_LLVM AND NOT found)
    message(FATAL_ERROR "VENTUS_LLVM needs LLVM 19 with its headers, clang-19, "
        "libclc-19, libz.a, libzstd.a and libseccomp: run scripts/setup, or use "
        "-DVENTUS_LLVM=OFF")
elseif(NOT VENTUS_LLVM)
    message(STATUS "VENTUS_LLVM is off: no OpenCL C compiler")
else()
    # Archives: loading the shared library takes each process 13 ms, for
    # 340,000 relocations in 10 MB.  LLVM's own CMake files look for eight more
    # libraries.
    execute_process(COMMAND ${VENTUS_LLVM_CONFIG} --link-static --includedir
        --libfiles bitreader bitwriter core irreader linker passes
        OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+" VENTUS_LLVM_LIBRARIES ${found})
    list(POP_FRONT VENTUS_LLVM_LIBRARIES VENTUS_LLVM_INCLUDE)
    list(APPEND VENTUS_LLVM_LIBRARIES ${VENTUS_ZLIB} ${VENTUS_ZSTD}
        -l:libstdc++.a m)
endif()

# The translator to code of the host (src/native): LLVM with its generator for x86-64.
set(VENTUS_NATIVE_HOST OFF)
if(VENTUS_LLVM AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT VENTUS_SANITIZE)
    set(VENTUS_NATIVE_HOST ON)
    execute_process(COMMAND ${VENTUS_LLVM_CONFIG} --link-static
        --libfiles bitreader core passes x86codegen x86desc x86info
        OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+" VENTUS_NATIVE_LIBRARIES ${found})
    list(APPEND VENTUS_NATIVE_LIBRARIES ${VENTUS_ZLIB} ${VENTUS_ZSTD}
        -l:libstdc++.a m)
endif()

# ventus_use_native_llvm(TARGET): the same, and the generator.
function(ventus_use_native_llvm target)
    target_include_directories(${target} SYSTEM PRIVATE ${VENTUS_LLVM_INCLUDE})
    target_link_libraries(${target} PRIVATE ${VENTUS_NATIVE_LIBRARIES})
    target_link_options(${target} PUBLIC -static-libgcc -Wl,--gc-sections)
endfunction()

# ventus_use_llvm(TARGET): it may include <llvm-c/...>.
function(ventus_use_llvm target)
    target_include_directories(${target} SYSTEM PRIVATE ${VENTUS_LLVM_INCLUDE})
    target_link_libraries(${target} PRIVATE ${VENTUS_LLVM_LIBRARIES})
    target_link_options(${target} PUBLIC -static-libgcc -Wl,--gc-sections)
endfunction()
