// unirec apply and unirec export: configuration as code.
import type { Command } from '../command.ts'

export const applyCommand: Command = {
  name: 'apply',
  summary: 'Make a service match a configuration file; a second run changes nothing',
  arguments: [],
  flags: [
    {
      name: 'file',
      short: 'f',
      type: 'string',
      value: 'FILE',
      default: 'unirec.yaml',
      description: 'Configuration file in YAML; - reads standard input',
    },
    {
      name: 'plan',
      type: 'boolean',
      description: 'Only show what would be created, changed and removed; exits with 4 if there is something to do',
    },
    {
      name: 'prune',
      type: 'boolean',
      description: 'Remove what is not in the sections that the file has; never workspaces, accounts or records',
    },
    {
      name: 'secrets-file',
      type: 'string',
      value: 'FILE',
      description:
        'Append the secrets of new keys and webhook endpoints to this file, for its owner only; by default they are shown once',
    },
    {
      name: 'rotate-secrets',
      type: 'boolean',
      description: 'Send the secrets of all platform apps, which cannot be compared',
    },
  ],
  examples: [
    'unirec apply --plan',
    'unirec apply -f unirec.yaml --secrets-file new-secrets.ndjson',
    'unirec apply --prune --json',
  ],
  run: async (invocation) => (await import('./run.ts')).runApply(invocation),
}

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write the configuration of a service as a file for unirec apply, without secrets',
  arguments: [],
  flags: [
    {
      name: 'out',
      short: 'o',
      type: 'string',
      value: 'FILE',
      description: 'New file; an existing file is not overwritten. By default standard output',
    },
  ],
  examples: ['unirec export --out unirec.yaml', 'unirec export --workspace urw_1'],
  run: async (invocation) => (await import('./export.ts')).runExport(invocation),
}
