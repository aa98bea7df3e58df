# SPDX-License-Identifier: Apache-2.0
# Completion of ventus for bash.  Commands and options are those that the
# program prints with --help, so nothing here must be kept in step with it.
_ventus()
{
    local current=${COMP_WORDS[COMP_CWORD]} program=${COMP_WORDS[0]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]} i
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "--help --version $("$program" \
            --help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')" -- "$current")
        return
    fi
    # After `--` come a program and its arguments, which are files for us.
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [ "${COMP_WORDS[i]}" = -- ]; then
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return
        fi
    done
    case $previous in
    --device | --model)
        mapfile -t COMPREPLY < <(compgen -f -W "$("$program" info 2>/dev/null |
            sed -n 's/^  \([a-z][A-Za-z0-9-]*\)$/\1/p')" -- "$current")
        return
        ;;
    esac
    case $current in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$("$program" "${COMP_WORDS[1]}" \
            --help 2>/dev/null | grep -o -e '--[a-z][a-z-]*' | sort -u)" \
            -- "$current")
        ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    esac
}
complete -o filenames -F _ventus ventus
