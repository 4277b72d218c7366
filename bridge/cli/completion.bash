# Bash completion of the heddle command; it asks the command itself what there is.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# The commands that `heddle --help` lists.
_heddle_commands() {
  "$1" --help 2>/dev/null | sed -n '/^Commands:/,/^`/s/^  \([a-z]*\) .*/\1/p'
}

# The options of a command, long and short; an option that takes a value ends with =.
_heddle_options() {
  "$@" --help 2>/dev/null | sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\)\(\[\{0,1\}=\{0,1\}\).*/\2\3/p' | sed 's/\[=$//'
}

# Names at the beginning of lines: programs, backends.
_heddle_names() {
  "$@" 2>/dev/null | sed -n 's/^\([a-z_][a-z_-]*\).*/\1/p'
}

# Keys of scenarios, and their sections.
_heddle_keys() {
  "$1" scenario 2>/dev/null | sed -n 's/^ \{0,2\}\([a-z_][a-z_.]*\)\(:.*\|  .*\)$/\1/p' | sort -u
}

# Reads words from standard input and puts those that begin with $1 into COMPREPLY.
_heddle_words() {
  local word
  while IFS= read -r word; do
    [[ $word != "$1"* ]] || COMPREPLY+=("$word")
  done
}

# Files and directories, or directories alone (-d).
_heddle_files() {
  compopt -o filenames 2>/dev/null
  _heddle_words "$1" < <(compgen "${2--f}" -- "$1")
}

_heddle() {
  local heddle=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]-}
  local before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    _heddle_words "$word" < <(_heddle_commands "$heddle"; echo --help; echo --version)
    return
  fi
  # bash makes a word of = between an option and its value
  if [ "$word" = = ]; then
    word=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $before in
    --dut)
      _heddle_words "$word" < <(_heddle_names "$heddle" backends; echo none)
      _heddle_files "$word"
      return
      ;;
    --mode) _heddle_words "$word" <<<$'decoupled\nclosed' && return ;;
    --good | --bad)
      _heddle_words "$word" < <(git for-each-ref --format='%(refname:short)' 2>/dev/null; echo HEAD)
      return
      ;;
    --rtl) _heddle_files "$word" && return ;;
    --out | --cache) _heddle_files "$word" -d && return ;;
  esac
  if [[ $word == -* ]]; then
    _heddle_words "$word" < <(_heddle_options "$heddle" "$command")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
    return
  fi
  case $command in
    scenario) _heddle_words "$word" < <(_heddle_keys "$heddle") ;;
    collectives) _heddle_words "$word" < <(_heddle_names "$heddle" collectives) ;;
    study) _heddle_words "$word" < <(_heddle_names "$heddle" study) ;;
    programs) _heddle_words "$word" < <(_heddle_names "$heddle" programs) ;;
    backends) _heddle_words "$word" < <(_heddle_names "$heddle" backends) ;;
    board)
      if [ "$COMP_CWORD" = 2 ]; then
        _heddle_words "$word" <<<$'list\nflash\ncheck\nvirtual\nspeed\nhash'
      else
        _heddle_files "$word"
      fi
      ;;
    *) _heddle_files "$word" ;;
  esac
}
complete -F _heddle heddle
