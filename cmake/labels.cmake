# SPDX-License-Identifier: Apache-2.0
# Labels of quick tests besides `quick`, by the names of the tests.

# long: `make check` leaves these to `make check-all`, since each takes more than some
# ten seconds of a processor in the preset release, or needs packages of that group of
# scripts/setup.  Under the sanitizers `make nightly` runs them.
set(VENTUS_LONG
    asm_llvm cc_debug cc_emit cc_memory cc_pocl cc_random cc_random_2 cc_random_calls
    cc_random_halves cc_random_split cc_random_structs cc_reassemble cc_v2_random
    cc_v2_random_argument
    cc_v2_random_rematerialised cc_v2_random_structs "cc_(v2_)?variables_[0-9]"
    "clients_.*" dbg_advice e2e_outputs "front_(all_)?builtins" front_hostile_options
    gdb_launches gdb_sessions journeys model_litmus model_opencl model_order_litmus
    "model_race(_random)?" model_spin_random model_threads python_install
    recording_findings sanitize_mistakes sim_prefixed sim_qemu sweep_runs)

# host: processes, threads, signals, pipes, sockets or clocks of the host.  These are
# what scripts/flakes repeats most.
set(VENTUS_HOST
    "base_(env|scratch|spawn|thread_pool)" cc_failing cc_sandbox
    "cl_(cache|cache_hostile|ends|event|fork|fork_ends|install|logged|object|program)"
    "cl_(run_options|sandbox|thread|time_limit|tools|traps|unit)" completions
    "dev_(deterministic|stop|waits|queue)" "e2e_(exec|interrupt|outputs)"
    "front_(command|hostile_options)" "gdb_.*" "model_(ahead|race|race_random|threads)"
    pdes python_device "recording_.*" sanitize_sessions setup "sim_(launch|threads)"
    "sweep_.*")

# Sets `labels` of a test that has the label `first`.
function(ventus_labels labels name first)
    set(all ${first})
    foreach(more IN ITEMS long host)
        string(TOUPPER VENTUS_${more} patterns)
        list(JOIN ${patterns} "|" pattern)
        if(first STREQUAL quick AND name MATCHES "^(${pattern})$")
            list(APPEND all ${more})
        endif()
    endforeach()
    set(${labels} "${all}" PARENT_SCOPE)
endfunction()
