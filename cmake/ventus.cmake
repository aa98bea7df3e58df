# SPDX-License-Identifier: Apache-2.0
# How modules, tests and fuzzers are declared.  Everything global is here.
include(GNUInstallDirs)
include(cmake/labels.cmake)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
enable_testing()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# POSIX 2008 with XSI; a file that needs more says so itself.
add_compile_definitions(_XOPEN_SOURCE=700)
add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wundef -Wvla -Wpointer-arith -Wformat=2
    -fno-common -fvisibility=hidden -fno-semantic-interposition
    -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(VENTUS_WERROR)
    add_compile_options(-Werror)
endif()
# src/base/debug_assert.h
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_compile_definitions(VENTUS_DEBUG)
endif()
if(VENTUS_TINY)
    add_compile_definitions(VENTUS_TINY)
endif()
if(VENTUS_SANITIZE)
    add_compile_options(-fsanitize=${VENTUS_SANITIZE}
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${VENTUS_SANITIZE})
endif()

# Adds a directory of the plan once it exists.  Until then the folder where it
# would appear is watched, so that the next build sees it.
function(ventus_add_directory dir)
    set(path ${PROJECT_SOURCE_DIR}/${dir})
    if(EXISTS ${path}/CMakeLists.txt)
        add_subdirectory(${path} ${PROJECT_BINARY_DIR}/${dir})
        return()
    endif()
    while(NOT EXISTS ${path})
        cmake_path(GET path PARENT_PATH path)
    endwhile()
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY
        CMAKE_CONFIGURE_DEPENDS ${path})
endfunction()

# Includes are written "module/file.h" and <ventus/file.h>.  Generated headers
# have the same names below the build directory.  tests/layering.py refuses
# what the arrows do not allow.
function(ventus_includes target)
    target_include_directories(${target} PUBLIC
        ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
        ${PROJECT_BINARY_DIR}/src ${PROJECT_BINARY_DIR}/include)
endfunction()

# The modules whose assertions end a launch and not the application, in release builds
# (src/base/guard.h, docs/decisions/0015-internal-errors.md).  glibc, musl and BSD's
# <assert.h> differ: without __assert_fail a failed assertion ends the process.
set(VENTUS_GUARDED base isa sim sanitize pdes model)
function(ventus_guard target)
    target_compile_definitions(${target} PRIVATE
        $<$<CONFIG:Release>:__assert_fail=guard_assertion_failed>)
endfunction()

# Real kernels with reference logs, which tests read if they are there.
set(VENTUS_SHARED ${PROJECT_SOURCE_DIR}/../shared CACHE PATH
    "Folder with vectors/ and rtl/")

# ventus_module(NAME [CONVERSION] SOURCES file... [DEPS module...])
# The static library ventus_NAME.  CONVERSION: with -Wconversion.
function(ventus_module name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "CONVERSION" "" "SOURCES;DEPS")
    add_library(ventus_${name} STATIC ${arg_SOURCES})
    ventus_includes(ventus_${name})
    list(TRANSFORM arg_DEPS PREPEND ventus_)
    target_link_libraries(ventus_${name} PUBLIC ${arg_DEPS})
    if(arg_CONVERSION)
        target_compile_options(ventus_${name} PRIVATE -Wconversion)
    endif()
    if(name IN_LIST VENTUS_GUARDED)
        ventus_guard(ventus_${name})
    endif()
endfunction()

# ventus_test(NAME SOURCES file... [DEPS module...] [LABEL label])
# The program test_NAME, run as the test NAME.  LABEL: quick unless given;
# nightly for what takes longer than a few seconds.
function(ventus_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "SOURCES;DEPS")
    add_executable(test_${name} ${arg_SOURCES})
    ventus_includes(test_${name})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    list(TRANSFORM arg_DEPS PREPEND ventus_)
    target_link_libraries(test_${name} PRIVATE ${arg_DEPS})
    ventus_check(${name} LABEL ${arg_LABEL} COMMAND test_${name})
endfunction()

# Children of fork() may begin threads: tests/cl/fork.c.
set(VENTUS_TSAN_OPTIONS
    suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp:die_after_fork=0)

# ventus_check(NAME COMMAND command... [LABEL label])
# A test that is a command; exit status 77 means skipped.
function(ventus_check name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "COMMAND")
    if(NOT arg_LABEL)
        set(arg_LABEL quick)
    endif()
    add_test(NAME ${name} COMMAND ${arg_COMMAND})
    ventus_labels(labels ${name} ${arg_LABEL})
    set_tests_properties(${name} PROPERTIES LABELS "${labels}"
        SKIP_RETURN_CODE 77)
    if(VENTUS_SANITIZE STREQUAL thread)
        set_tests_properties(${name} PROPERTIES ENVIRONMENT
            TSAN_OPTIONS=${VENTUS_TSAN_OPTIONS})
    endif()
    if(arg_LABEL STREQUAL quick)
        # For what hangs, and the only limit of the tests: a busy machine needs many
        # times what a quick test does, an emulator ten times that.
        set(limit 900)
        if(CMAKE_CROSSCOMPILING)
            set(limit 9000)
        endif()
        set_tests_properties(${name} PROPERTIES TIMEOUT ${limit})
    endif()
endfunction()

# ventus_fuzz(NAME SOURCES file... [DEPS module...] [CORPUS name] FILES file...)
# A libFuzzer program fuzz_NAME, run for VENTUS_FUZZ_SECONDS from the corpus
# tests/fuzz/NAME/, or tests/fuzz/CORPUS/, if there is one.  FILES: what it is meant to
# reach, for tests/fuzz/coverage.py.  Nothing unless VENTUS_FUZZ is on.
set(VENTUS_FUZZ_SECONDS 2 CACHE STRING "Time for each fuzzer, in seconds")
function(ventus_fuzz name)
    if(NOT VENTUS_FUZZ)
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "CORPUS" "SOURCES;DEPS;FILES")
    add_executable(fuzz_${name} ${arg_SOURCES})
    ventus_includes(fuzz_${name})
    list(TRANSFORM arg_DEPS PREPEND ventus_)
    target_link_libraries(fuzz_${name} PRIVATE ${arg_DEPS})
    target_compile_definitions(fuzz_${name} PRIVATE
        FUZZ_LIBRARY="${PROJECT_BINARY_DIR}/lib")
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_property(GLOBAL APPEND_STRING PROPERTY VENTUS_FUZZ_TARGETS
        "${name};${arg_FILES}\n")
    # What is found goes to a folder of the build, or nowhere: the corpus in git
    # is only read, and what hours found (tests/fuzz/run.py) is not run again.
    set(found ${PROJECT_BINARY_DIR}/short/${name})
    file(REMOVE_RECURSE ${found})
    file(MAKE_DIRECTORY ${found})
    if(NOT arg_CORPUS)
        set(arg_CORPUS ${name})
    endif()
    set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/${arg_CORPUS})
    if(NOT EXISTS ${corpus})
        set(corpus)
    endif()
    # A crash must not end with libFuzzer's usual 77, which means skipped.
    ventus_check(fuzz_${name} LABEL fuzz COMMAND fuzz_${name}
        -error_exitcode=1 -timeout=20 -rss_limit_mb=3000
        -max_total_time=${VENTUS_FUZZ_SECONDS}
        ${found} ${corpus})
endfunction()
