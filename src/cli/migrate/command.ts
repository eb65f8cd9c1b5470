// unirec migrate: from one system to another.
import type { Command } from '../command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Copy the records of one account to another and verify the result',
  arguments: [],
  flags: [
    { name: 'from', type: 'string', value: 'ACCOUNT', description: 'Account to read' },
    { name: 'to', type: 'string', value: 'ACCOUNT', description: 'Account to write' },
    {
      name: 'entities',
      type: 'string',
      value: 'LIST',
      description:
        'Subset of category,product,customer,employee,order,payment; by default all that both accounts support, without payments',
    },
    {
      name: 'plan',
      type: 'boolean',
      description: 'Only show what would happen: counts, what the target cannot accept or store, duration',
    },
    {
      name: 'report',
      type: 'string',
      value: 'FOLDER',
      description:
        'Folder for the report and the progress file (default migration-FROM-TO); use the same folder to resume',
    },
    {
      name: 'update',
      type: 'boolean',
      description: 'Replace records that changed at the source after they were written',
    },
    {
      name: 'link',
      type: 'boolean',
      description:
        'Match records that the target does not let you write by code or name, so that orders can reference them',
    },
    { name: 'orders-since', type: 'string', value: 'DATE', description: 'Skip older orders' },
    {
      name: 'order-states',
      type: 'string',
      value: 'LIST',
      description: 'Only orders in these states, such as OPEN,PENDING',
    },
    {
      name: 'location',
      type: 'string',
      value: 'ID',
      description: 'Linked location of the target for all orders; by default the linked or the only one',
    },
    {
      name: 'defaults',
      type: 'string',
      value: 'FILE',
      description: 'JSON file with values for fields that the target requires and the source lacks',
    },
    {
      name: 'prefix',
      type: 'string',
      value: 'TEXT',
      description: 'Prefix for the source ids, if several sources go to one target',
    },
    {
      name: 'resend-unknown',
      type: 'boolean',
      description: 'Resend records whose outcome the platform cannot report; this can create duplicates',
    },
    {
      name: 'patience',
      type: 'string',
      value: 'MINUTES',
      default: '15',
      description: 'How long to wait during an outage of the service or a platform',
    },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask for confirmation' },
  ],
  examples: [
    'unirec migrate --from sandbox-clover-restaurant --to sandbox-square-restaurant --plan',
    'unirec migrate --from sandbox-clover-restaurant --to sandbox-square-restaurant --orders-since 2026-01-01',
  ],
  async run(invocation) {
    const [{ readOptions }, { migrate }] = await Promise.all([import('./options.ts'), import('./run.ts')])
    return migrate(readOptions(invocation.flags), invocation)
  },
}
