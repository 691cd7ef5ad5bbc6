import { resolve } from 'node:path';

/** A shell whose words can be completed. */
export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

const COMMAND = resolve(import.meta.dirname, '../../daybook.mjs');

/** As one word of bash or zsh. */
function posixWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function fishWord(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}

function powershellWord(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/*
 * No script evaluates what is typed. Otherwise a TAB would already run `$(…)`, and would empty the file after `>`.
 */

function bashScript(node: string, command: string): string {
  return `_daybook_completion() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(${posixWord(node)} ${posixWord(command)} complete "--current=\${COMP_WORDS[COMP_CWORD]}" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -o default -F _daybook_completion daybook
`;
}

function zshScript(node: string, command: string): string {
  return `#compdef daybook
_daybook() {
  local line
  local -a described
  while IFS= read -r line; do
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(${posixWord(node)} ${posixWord(command)} complete "--current=\${words[CURRENT]}" -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)
  if (( \${#described} )); then _describe 'daybook' described; else _files; fi
}
if [[ "\${funcstack[1]}" == _daybook ]]; then _daybook "$@"; else compdef _daybook daybook; fi
`;
}

function fishScript(node: string, command: string): string {
  return `function __daybook_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (${fishWord(node)} ${fishWord(command)} complete "--current=$current" -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c daybook -f -a '(__daybook_complete)'
`;
}

function powershellScript(node: string, command: string): string {
  return `Register-ArgumentCompleter -Native -CommandName daybook -ScriptBlock {
  param($current, $line, $cursor)
  $words = @($line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.Extent.Text })
  & ${powershellWord(node)} ${powershellWord(command)} complete "--current=$current" -- @words 2>$null | ForEach-Object {
    $value, $description = $_ -split "\`t", 2
    if (-not $description) { $description = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $description)
  }
}
`;
}

/** The script of a shell. It calls this very command, by its path. */
export function completionScript(shell: Shell, node = process.execPath, command = COMMAND): string {
  switch (shell) {
    case 'bash':
      return bashScript(node, command);
    case 'zsh':
      return zshScript(node, command);
    case 'fish':
      return fishScript(node, command);
    case 'powershell':
      return powershellScript(node, command);
  }
}
