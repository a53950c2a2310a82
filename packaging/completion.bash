# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of stepwell(1) in bash.  Verbs, options, findings, recordings,
# groups and methods are asked of the command itself, so that nothing has to be kept in
# step here.

# What stands first in the lines of the help of the words $@.
_stepwell_help()
{
	command "${COMP_WORDS[0]}" "$@" --help 2>/dev/null | sed -nE \
		's/^  (-[a-zA-Z], )?(--)?([a-z][a-z-]*).*/\2\3/p'
}

_stepwell_recordings()
{
	command "$1" list --ids 2>/dev/null
}

_stepwell_findings()
{
	command "$1" explain 2>/dev/null | cut -d' ' -f1
}

# "4 runs  alice/align_#" a line.
_stepwell_groups()
{
	command "$1" suggest 2>/dev/null | sed -nE 's/^[0-9,]+ runs? +//p'
}

# The names that a verb knows, beside files.
_stepwell_operands()
{
	case $2 in
	report | dump | verify | rm) _stepwell_recordings "$1" ;;
	suggest) _stepwell_recordings "$1"; _stepwell_groups "$1" ;;
	backtest) _stepwell_groups "$1" ;;
	esac
}

# What the option before the cursor takes; nothing where that is any word.
_stepwell_values()
{
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	--dialect) echo sbatch srun lsf nextflow snakemake json ;;
	--risk) echo low medium high ;;
	--input) [ "${COMP_WORDS[1]}" != backtest ] || echo any known none ;;
	--protocol) echo online sizey ;;
	--method) command "${COMP_WORDS[0]}" backtest --method list ;;
	esac
}

# The command that "run" records begins behind "--".
_stepwell_is_behind_dashes()
{
	local i
	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" = -- ] && return
	done
	return 1
}

_stepwell()
{
	local program=${COMP_WORDS[0]} verb=${COMP_WORDS[1]-}
	local word=${COMP_WORDS[COMP_CWORD]}

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_help)" -- "$word")
	elif _stepwell_is_behind_dashes; then
		mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
	elif [ -n "$(_stepwell_values)" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_values)" \
			-- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_help "$verb")" \
			-- "$word")
	elif [ "$verb" = explain ]; then
		mapfile -t COMPREPLY < <(compgen \
			-W "$(_stepwell_findings "$program")" -- "$word")
	elif [ "$verb" = help ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_help)" \
			-- "$word")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word"
			compgen -W "$(_stepwell_operands "$program" "$verb")" \
				-- "$word")
	fi
}

complete -F _stepwell stepwell
