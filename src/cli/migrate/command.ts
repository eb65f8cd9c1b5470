// unirec migrate: from one system to another.
import type { Command } from '../command.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Move the records of one account to another, and prove it',
  arguments: [],
  flags: [
    { name: 'from', type: 'string', value: 'ACCOUNT', description: 'Account to read' },
    { name: 'to', type: 'string', value: 'ACCOUNT', description: 'Account to write' },
    { name: 'entities', type: 'string', value: 'LIST', description: 'Some of category,product,customer,employee,order; all that both have unless told' },
    { name: 'plan', type: 'boolean', description: 'Only say what would happen: counts, what the target cannot take or keep, how long it takes' },
    { name: 'report', type: 'string', value: 'FOLDER', description: 'Where report and notebook go (migration-FROM-TO); run again with the same one to resume' },
    { name: 'update', type: 'boolean', description: 'Replace records that have changed at the source since they were written' },
    { name: 'link', type: 'boolean', description: 'Look up at the target, by code or name, what nobody can write there, so that orders can name it' },
    { name: 'orders-since', type: 'string', value: 'DATE', description: 'Leave older orders behind' },
    { name: 'order-states', type: 'string', value: 'LIST', description: 'Only orders in these states, such as OPEN,PENDING' },
    { name: 'location', type: 'string', value: 'ID', description: "The target's location for all orders; its own default unless told" },
    { name: 'defaults', type: 'string', value: 'FILE', description: 'JSON with values for fields that the target requires and the source lacks' },
    { name: 'prefix', type: 'string', value: 'TEXT', description: 'Put before the ids of the source, where several sources go to one target' },
    { name: 'resend-unknown', type: 'boolean', description: 'Send again what a platform cannot tell the outcome of; it may then be there twice' },
    { name: 'patience', type: 'string', value: 'MINUTES', default: '15', description: 'How long an outage of the service or a platform is waited for' },
    { name: 'yes', short: 'y', type: 'boolean', description: 'Do not ask' },
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
