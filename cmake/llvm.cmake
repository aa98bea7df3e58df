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
    execute_process(COMMAND ${VENTUS_LLVM_CONFIG} --bindir OUTPUT_VARIABLE VENTUS_LLVM_CLANG
        OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND VENTUS_LLVM_CLANG /clang)
    execute_process(COMMAND ${VENTUS_LLVM_CONFIG} --link-static --includedir
        --libfiles bitreader bitwriter core irreader linker passes
        OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+" VENTUS_LLVM_LIBRARIES ${found})
    list(POP_FRONT VENTUS_LLVM_LIBRARIES VENTUS_LLVM_INCLUDE)
    list(APPEND VENTUS_LLVM_LIBRARIES ${VENTUS_ZLIB} ${VENTUS_ZSTD}
        -l:libstdc++.a m)
endif()

# clang's front end as archives, for the compiler to contain it: starting the program
# takes four fifths of a small compilation.
find_library(VENTUS_CLANG_CODEGEN clangCodeGen PATHS /usr/lib/llvm-19/lib NO_DEFAULT_PATH
    DOC "Of clang's archives (libclang-19-dev)")
find_program(VENTUS_CLANGXX clang++-19 DOC "Compiles the one file in C++")
set(found OFF)
if(VENTUS_LLVM AND VENTUS_CLANG_CODEGEN AND VENTUS_CLANGXX AND NOT VENTUS_SANITIZE)
    set(found ON)
endif()
option(VENTUS_CLANG_INSIDE "The compiler contains clang, and does not start it" ${found})
if(VENTUS_CLANG_INSIDE AND NOT found)
    message(FATAL_ERROR "VENTUS_CLANG_INSIDE needs VENTUS_LLVM, libclang-19-dev and clang++-19, "
        "and no sanitizer: run scripts/setup, or use -DVENTUS_CLANG_INSIDE=OFF")
elseif(VENTUS_CLANG_INSIDE)
    cmake_path(GET VENTUS_CLANG_CODEGEN PARENT_PATH archives)
    foreach(name IN ITEMS Frontend Driver Serialization CodeGen Parse Sema APINotes Edit Analysis
            AST ASTMatchers Support Lex Basic)
        list(APPEND VENTUS_CLANG_LIBRARIES ${archives}/libclang${name}.a)
    endforeach()
    execute_process(COMMAND ${VENTUS_LLVM_CONFIG} --link-static --libfiles coverage frontenddriver
        frontendhlsl frontendoffloading frontendopenmp lto objcarcopts option passes targetparser
        windowsdriver OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "[^ \n]+" found ${found})
    list(FILTER found EXCLUDE REGEX Polly) # which is in none of Debian's archives
    list(APPEND VENTUS_CLANG_LIBRARIES ${found} ${VENTUS_ZLIB} ${VENTUS_ZSTD} -l:libstdc++.a m)
endif()

# The translator to code of the host (src/native): LLVM with its generator for x86-64.
set(VENTUS_NATIVE_HOST OFF)
if(VENTUS_LLVM AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$"
   AND NOT VENTUS_SANITIZE STREQUAL thread)
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
