// Shell completion. The scripts hand the words to `unirec __complete`, so that one piece of code knows what can follow,
// from the declarations.
import { entityTypes } from '../contract/entity.ts'
import { type Command, exitCodes, type Flag } from './command.ts'
import { globalFlags } from './parse.ts'
import { readProfiles } from './profiles.ts'
import { dataDirOf, readSandboxFile } from './sandbox-file.ts'

const shells = ['bash', 'zsh', 'fish'] as const
const withFiles = ':files' // the shell completes file names itself

const scripts: Record<(typeof shells)[number], string> = {
  bash: `# unirec completion bash: put  source <(unirec completion bash)  into ~/.bashrc
_unirec() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  local found=($(unirec __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [ "\${found[0]}" = "${withFiles}" ]; then COMPREPLY=($(compgen -f -- "$word")); else COMPREPLY=($(compgen -W "\${found[*]}" -- "$word")); fi
}
complete -o filenames -F _unirec unirec`,
  zsh: `#compdef unirec
# unirec completion zsh: put  source <(unirec completion zsh)  into ~/.zshrc, after compinit
_unirec() {
  local -a found
  found=("\${(@f)$(unirec __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${found[1]}" == "${withFiles}" ]]; then _files; else compadd -a found; fi
}
compdef _unirec unirec`,
  fish: `# unirec completion fish: unirec completion fish > ~/.config/fish/completions/unirec.fish
function __unirec_complete
  set -l words (commandline -opc)[2..-1] (commandline -ct)
  set -l found (unirec __complete -- $words 2>/dev/null)
  if test "$found[1]" = "${withFiles}"
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c unirec -f -a '(__unirec_complete)'`,
}

export const completion: Command = {
  name: 'completion',
  summary: 'Print a shell completion script',
  arguments: [{ name: 'shell', description: 'Shell', choices: shells }],
  flags: [],
  examples: ['source <(unirec completion bash)', 'unirec completion fish > ~/.config/fish/completions/unirec.fish'],
  async run({ arguments: { shell }, output }) {
    output.line(scripts[shell as (typeof shells)[number]])
    return exitCodes.ok
  },
}

/** What this machine knows without a call. */
export type KnownNames = Readonly<Record<'account' | 'profile', () => readonly string[]>>

/** Candidates for the last word. */
export function complete(words: readonly string[], commands: readonly Command[], known: KnownNames): string[] {
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const { command, values, open } = place(before, commands)
  if (open?.complete) return [...known[open.complete]()]
  if (open) return open.choices ? [...open.choices] : /FILE|DIR/.test(open.value ?? '') ? [withFiles] : []
  if (last.startsWith('-')) return [...(command?.flags ?? []), ...globalFlags].map(({ name }) => `--${name}`)
  if (!command) return nextWords(values, commands)
  const argument = command.arguments[values.length]
  if (!argument) return []
  if (argument.complete === 'account' || argument.complete === 'profile') return [...known[argument.complete]()]
  if (argument.complete === 'file') return [withFiles]
  return [...(argument.choices ?? (argument.complete === 'entity' ? entityTypes : []))]
}

/** Which command the words before belong to, its values so far, and the flag that waits for its value. */
function place(
  before: readonly string[],
  commands: readonly Command[],
): { command?: Command; values: string[]; open?: Flag } {
  let values: string[] = []
  let command: Command | undefined
  let open: Flag | undefined
  for (const word of before) {
    if (open) {
      open = undefined
      continue
    }
    if (word.startsWith('-') && word !== '-') {
      const flag = [...(command?.flags ?? []), ...globalFlags].find(
        ({ name, short }) => word === `--${name}` || word === `-${short}`,
      )
      open = flag?.type === 'string' ? flag : undefined
      continue
    }
    values.push(word)
    if (command) continue
    command = commands.find(({ name }) => name === values.join(' '))
    if (command) values = []
  }
  return { values, command, open }
}

function nextWords(typed: readonly string[], commands: readonly Command[]): string[] {
  const starting = commands
    .map(({ name }) => name.split(' '))
    .filter((parts) => typed.every((word, index) => parts[index] === word))
  return [...new Set(starting.flatMap((parts) => (parts[typed.length] ? [parts[typed.length] as string] : [])))]
}

/** Makes no network call: completion must be instant. */
export const knownNames = (environment: NodeJS.ProcessEnv): KnownNames => ({
  account: () =>
    readSandboxFile(dataDirOf({ flags: {}, environment }))?.accounts.map(({ accountId }) => accountId) ?? [],
  profile: () => Object.keys(readProfiles(environment).profiles),
})
