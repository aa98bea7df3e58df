# SPDX-License-Identifier: Apache-2.0
# Completion of ventus for fish, from what the program prints with --help.
function __ventus_commands
    ventus --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end
function __ventus_options
    set -l words (commandline -opc)
    ventus $words[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]*' | sort -u
end
complete -c ventus -n __fish_use_subcommand -f -a '(__ventus_commands)'
complete -c ventus -n 'not __fish_use_subcommand' -a '(__ventus_options)'
