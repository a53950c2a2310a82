# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of stepwell(1) in bash.  Verbs, options, findings, recordings,
# groups and methods are asked of the command itself, so that nothing has to be
# kept in step here.
#
# _stepwell has the words of the line in "words" up to the one before the
# cursor, which is "word", without quotes; of that bash keeps "kept" as it is,
# and only puts in what comes behind it.  The other functions see them.

# What stands first in the lines of the help of the words $@.
_stepwell_help()
{
	command "${words[0]}" "$@" --help 2>/dev/null | sed -nE \
		's/^  (    |-[a-zA-Z], )?(--)([a-z][a-z-]*).*/\2\3/p
		s/^  ([a-z][a-z-]*).*/\1/p'
}

_stepwell_recordings()
{
	command "${words[0]}" list --ids 2>/dev/null
}

_stepwell_findings()
{
	command "${words[0]}" explain 2>/dev/null | cut -d' ' -f1
}

# "4 runs  alice/align_#" a line.
_stepwell_groups()
{
	command "${words[0]}" suggest 2>/dev/null |
		sed -nE 's/^[0-9,]+ runs? +//p'
}

_stepwell_columns()
{
	command "${words[0]}" list --format help 2>/dev/null |
		sed -nE 's/^([a-z_]+) .*/\1/p'
}

# The names that a verb knows, beside files.
_stepwell_operands()
{
	case ${words[1]} in
	report | list | diff | dump | verify | rm) _stepwell_recordings ;;
	suggest) _stepwell_recordings; _stepwell_groups ;;
	backtest) _stepwell_groups ;;
	esac
}

# What the option before the cursor takes; nothing where that is any word.
_stepwell_values()
{
	case ${words[-1]} in
	--group) [ "${words[1]}" != diff ] || _stepwell_groups ;;
	--dialect) command "${words[0]}" suggest --dialect list ;;
	--risk) printf '%s\n' low medium high ;;
	--input) [ "${words[1]}" != backtest ] ||
		printf '%s\n' any known none ;;
	--protocol) printf '%s\n' online sizey ;;
	--format | --sort) _stepwell_columns ;;
	--findings) _stepwell_findings ;;
	--by) printf '%s\n' run group day ;;
	--method) command "${words[0]}" backtest --method list ;;
	esac
}

# The command that "run" records begins behind "--".
_stepwell_is_behind_dashes()
{
	local i
	for ((i = 2; i < ${#words[@]}; i++)); do
		[ "${words[i]}" = -- ] && return
	done
	return 1
}

# The lines that begin with the word.  Not compgen -W: it expands what it is
# given, and whoever names a job would have commands run here.
_stepwell_matching()
{
	local line
	while IFS= read -r line; do
		[[ -z $line || $line != "$word"* ]] || printf '%s\n' "$line"
	done
}

# "flow\:map" or "'flow:map": what the command would get.
_stepwell_unquote()
{
	local text
	# Without -r it takes the backslashes off.
	# shellcheck disable=SC2162
	IFS= read text <<<"${1//[\"\']/}"
	printf '%s\n' "$text"
}

# Bash takes a ":" for a word of its own, and groups have it in their names:
# what stands together in the line is one word.
_stepwell_join()
{
	local i piece blanks before='' rest=$COMP_LINE
	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		piece=${COMP_WORDS[i]}
		blanks=${rest%%[![:space:]]*}
		rest=${rest#"$blanks"}
		rest=${rest#"$piece"}
		if [ "$i" -gt 0 ] && [ -z "$blanks" ] &&
		   [[ $before == *: || $piece == :* ]]; then
			kept=${words[-1]}
			words[-1]+=$piece
		else
			kept=
			words+=("$piece")
		fi
		before=$piece
	done
	[[ -z $kept || $piece != *: ]] || kept=${words[-1]}
	kept=$(_stepwell_unquote "$kept")
	word=$(_stepwell_unquote "${words[-1]}")
	unset 'words[-1]'
}

# All that may stand before the cursor, but for names and files: then it fails.
_stepwell_list()
{
	local values

	if [ ${#words[@]} -eq 1 ] || [ "${words[1]}" = help ]; then
		_stepwell_help
	elif values=$(_stepwell_values) && [ -n "$values" ]; then
		printf '%s\n' "$values"
	elif [[ $word == -* ]]; then
		_stepwell_help "${words[1]}"
	elif [ "${words[1]}" = explain ]; then
		_stepwell_findings
	else
		return 1
	fi
}

_stepwell_names()
{
	if _stepwell_is_behind_dashes; then
		compgen -c -f -- "$word"
	else
		compgen -f -- "$word"
		_stepwell_operands | _stepwell_matching
	fi
}

_stepwell()
{
	local words word kept list

	_stepwell_join
	if ! _stepwell_is_behind_dashes && list=$(_stepwell_list); then
		mapfile -t COMPREPLY < <(_stepwell_matching <<<"$list")
	else
		# Then bash quotes what the shell would not leave as it is.
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(_stepwell_names)
	fi
	COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -F _stepwell stepwell
