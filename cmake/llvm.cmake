# SPDX-License-Identifier: Apache-2.0
# What the OpenCL C compiler needs: LLVM's C API, clang as a program, libclc.
# Without them everything else is built.
find_program(VENTUS_LLVM_CONFIG llvm-config-19 DOC "Of LLVM 19.1")
find_program(VENTUS_CLANG clang-19 DOC "The OpenCL C front end")
find_file(VENTUS_LIBCLC nvptx--.bc PATHS /usr/lib/clc /usr/share/clc
    DOC "libclc 19, the variant with 32-bit pointers")
set(found OFF)
if(VENTUS_LLVM_CONFIG AND VENTUS_CLANG AND VENTUS_LIBCLC)
    set(found ON)
endif()
option(VENTUS_LLVM "Build the OpenCL C compiler" ${found})
if(VENTUS_LLVM AND NOT found)
    message(FATAL_ERROR "VENTUS_LLVM needs LLVM 19 with its headers, clang-19 "
        "and libclc-19: run scripts/setup, or use -DVENTUS_LLVM=OFF")
elseif(NOT VENTUS_LLVM)
    message(STATUS "VENTUS_LLVM is off: no OpenCL C compiler")
else()
    # Asking LLVM's own CMake files instead looks for eight more libraries.
    execute_process(COMMAND ${VENTUS_LLVM_CONFIG} --link-shared --includedir
        --libfiles OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^\n]+" found ${found})
    list(GET found 0 VENTUS_LLVM_INCLUDE)
    list(GET found 1 VENTUS_LLVM_LIBRARY)
endif()

# ventus_use_llvm(TARGET): it may include <llvm-c/...>.
function(ventus_use_llvm target)
    target_include_directories(${target} SYSTEM PRIVATE ${VENTUS_LLVM_INCLUDE})
    target_link_libraries(${target} PRIVATE ${VENTUS_LLVM_LIBRARY})
endfunction()
