# SPDX-License-Identifier: Apache-2.0
# bash completion for trench. Commands and options are read from the program's own help.
_trench() {
    local cur prev words cword
    _init_completion || return

    if [ "$cword" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$("$1" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p') --help --version" -- "$cur"))
        return
    fi
    # --gen=X arrives as three words: --gen, =, X.
    [ "$prev" = = ] && prev=${words[cword - 2]}
    [ "$cur" = = ] && prev=${words[cword - 1]} cur=
    local generations="sunda cayman mariana mariana_plus maverick"
    case $prev in
    --gen | -g)
        case ${words[1]} in run | check) generations+=" all" ;; esac
        COMPREPLY=($(compgen -W "$generations" -- "$cur"))
        return
        ;;
    --engine | -e) COMPREPLY=($(compgen -W "pe act pool dve sp" -- "$cur")); return ;;
    --reset) COMPREPLY=($(compgen -W "zero poison random:" -- "$cur")); return ;;
    --space) COMPREPLY=($(compgen -W "bar0 bar4 soc tpb tpb_bar engine" -- "$cur")); return ;;
    --rings) COMPREPLY=($(compgen -W "none" -- "$cur")); return ;;
    --check) COMPREPLY=($(compgen -W "uninit race uninit,race" -- "$cur")); return ;;
    esac
    if [ "${words[1]}" = fw ] || [ "${words[1]}" = act ] || [ "${words[1]}" = cptc ]; then
        if [ "$cword" -eq 2 ]; then
            COMPREPLY=($(compgen -W "$("$1" "${words[1]}" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')" -- "$cur"))
            return
        fi
        case $prev in --from | --to) COMPREPLY=($(compgen -W "$generations" -- "$cur")); return ;; esac
        case $cur in
        -*) COMPREPLY=($(compgen -W "$("$1" "${words[1]}" "${words[2]}" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u)" -- "$cur")) ;;
        *) _filedir ;;
        esac
        return
    fi
    [ "${words[1]}" = notify ] && [ "$cword" -eq 2 ] && { COMPREPLY=($(compgen -W "decode" -- "$cur")); return; }
    case $cur in
    -*) COMPREPLY=($(compgen -W "$("$1" "${words[1]}" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u)" -- "$cur")) ;;
    *) _filedir ;;
    esac
} && complete -F _trench trench
