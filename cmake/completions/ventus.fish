# SPDX-License-Identifier: Apache-2.0
# Completion of ventus for fish, from what the program prints with --help.
function __ventus_commands
    ventus --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end
function __ventus_options
    set -l words (commandline -opc)
    ventus $words[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]*' | sort -u
end
function __ventus_presets
    ventus info 2>/dev/null | sed -n 's/^  \([a-z][A-Za-z0-9-]*\)$/\1/p'
end
# After `--` come a program and its arguments, which are files for us.
function __ventus_before_program
    not __fish_use_subcommand; and not contains -- -- (commandline -opc)
end
function __ventus_wants_preset
    __ventus_before_program
    and string match -qr -- '^--(device|model)$' (commandline -opc)[-1]
end
complete -c ventus -n __fish_use_subcommand -f -a '(__ventus_commands)'
complete -c ventus -n __ventus_before_program -a '(__ventus_options)'
complete -c ventus -n __ventus_wants_preset -a '(__ventus_presets)'
