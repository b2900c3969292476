"""The completion of banco's commands and options in bash, made from the commands' own help."""

from collections.abc import Iterator, Sequence

from systemd.debian.command_help import Argument, CommandHelp

HEAD = """\
# bash completion for banco(1), made from the commands' own help.

_banco() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=banco options='' commands='' word
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        case "$command $word" in
"""
MIDDLE = """\
        esac
    done
    case $command in
"""
TAIL = """\
    esac
    case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
    *)
        if [ -n "$commands" ]; then
            mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
        else
            compopt -o default
        fi
        ;;
    esac
}

complete -F _banco banco
"""


def write_completion(commands: Sequence[CommandHelp]) -> str:
    """Return the script: commands and options, an option's choices, and files elsewhere."""
    paths = [" ".join(command.words) for command in commands[1:]]
    steps = "".join(f'        "{path}") command="{path}" ;;\n' for path in paths)
    cases = "".join(line for command in commands for line in _write_case(command))
    return HEAD + steps + MIDDLE + cases + TAIL


def _write_case(command: CommandHelp) -> Iterator[str]:
    options = " ".join(flag for argument in command.arguments for flag in argument.flags)
    yield f'    "{" ".join(command.words)}")\n'
    yield f'        options="{options}" commands="{" ".join(command.below)}"\n'
    choosing = [one for one in command.arguments if one.flags and (one.choices or one.value)]
    if choosing:
        yield "        case $before in\n"
        yield from (_write_choices(argument) for argument in choosing)
        yield "        esac\n"
    yield "        ;;\n"


def _write_choices(argument: Argument) -> str:
    """After an option with a value come its choices; without any, a file's name."""
    flags = " | ".join(argument.flags)
    choices = " ".join(argument.choices)
    return f"        {flags}) options='' commands='{choices}' ;;\n"
