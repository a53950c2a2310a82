# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of stepwell(1) in bash.  Verbs and options are those that
# "stepwell --help" lists, which the command prints from its own tables, so
# nothing has to be kept in step here.

# Asked once a shell: "verb --option --option" a line.
_stepwell_learn()
{
	[ -n "${_stepwell_words-}" ] && return
	_stepwell_words=$(command "$1" --help 2>/dev/null | awk '
		function say(   i, n, word) {
			n = split(text, word, /[^a-z-]+/)
			line = verb
			for (i = 1; i <= n; i++)
				if (word[i] ~ /^--[a-z]/)
					line = line " " word[i]
			if (verb) print line
			verb = text = ""
		}
		/^  [a-z]/ { say(); verb = $1; next }
		/^  --/ { say(); verb = "-"; text = $0 " "; say(); next }
		/^$/ { say(); next }
		verb { text = text " " $0 }
		END { say() }')
}

# The words of a verb; without one, all verbs and the command's own options.
_stepwell_of()
{
	local line
	while read -r line; do
		if [ -z "${1-}" ] && [ "${line%% *}" = - ]; then
			echo "${line#- }"
		elif [ -z "${1-}" ]; then
			echo "${line%% *}"
		elif [ "${line%% *}" = "$1" ]; then
			echo "${line#"$1"} --help"
		fi
	done <<<"$_stepwell_words"
}

_stepwell_findings()
{
	command "$1" explain 2>/dev/null | cut -d' ' -f1
}

# What the option before the cursor takes; nothing where that is any word.
_stepwell_values()
{
	case ${COMP_WORDS[COMP_CWORD - 1]} in
	--dialect) echo sbatch srun lsf nextflow snakemake json ;;
	--risk) echo low medium high ;;
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
	_stepwell_learn "$program"
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_of)" -- "$word")
	elif _stepwell_is_behind_dashes; then
		mapfile -t COMPREPLY < <(compgen -c -f -- "$word")
	elif [ -n "$(_stepwell_values)" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_values)" \
			-- "$word")
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_stepwell_of "$verb")" \
			-- "$word")
	elif [ "$verb" = explain ]; then
		mapfile -t COMPREPLY < <(compgen \
			-W "$(_stepwell_findings "$program")" -- "$word")
	else
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -F _stepwell stepwell
