// unirec users invite, members, set-role, remove: roles of people in a workspace, through the management API.
import { roles } from '../contract/roles.ts'
import { type Argument, type Command, CommandFailure, exitCodes, type Flag } from './command.ts'
import { managed } from './connect.ts'
import { numberIn } from './flag-values.ts'
import { listAll } from './manage.ts'
import { inline } from './printable.ts'
import { showTable } from './table.ts'

interface Member {
  user: string
  role: string
  createdAt: string
}
interface Invitation {
  id: string
  url: string
  expiresAt: string
}
const members = '{workspace}/members'
const days: Flag = {
  name: 'days',
  field: 'days',
  type: 'string',
  value: 'COUNT',
  description: 'How long the link works, at most 30; 7 by default',
}
const user: Argument = {
  name: 'user',
  field: 'user',
  listedBy: 'unirec users members',
  description: 'Name of the user',
}
const pathOf = (name = '') => `${members}/${encodeURIComponent(name)}`

export const usersMembers: Command = {
  name: 'users members',
  summary: 'List who has which role in the workspace',
  arguments: [],
  flags: [],
  async run({ output, connect }) {
    const rows: string[][] = []
    for await (const one of listAll<Member>(managed(await connect()), members))
      if (output.json) output.line(JSON.stringify(one))
      else rows.push([one.user, one.role, one.createdAt])
    if (rows.length > 0) showTable(output, ['user', 'role', 'since'], rows)
    else if (!output.json)
      output.note('no one has a role in this workspace except installation admins; see unirec users invite --help')
    return exitCodes.ok
  },
}

export const usersInvite: Command = {
  name: 'users invite',
  summary: 'Invite a person into the workspace; prints a link that works once',
  arguments: [{ name: 'name', field: 'name', description: 'Name or email address' }],
  flags: [{ name: 'role', field: 'role', type: 'string', choices: roles, description: 'Role in the workspace' }, days],
  examples: ['unirec users invite ada@example.com --role operator'],
  async run({ arguments: { name }, flags, output, connect }) {
    if (flags.role === undefined)
      throw new CommandFailure(exitCodes.usage, `users invite needs --role ${roles.join('|')}`)
    const body = { name, role: flags.role, days: numberIn(flags, days) }
    const made = await managed(await connect()).call<Invitation>('POST', '{workspace}/invitations', body)
    output.line(output.json ? JSON.stringify(made) : inline(made.url))
    if (!output.json) output.note(`pass it on: it works once, until ${made.expiresAt}, and is not shown again`)
    return exitCodes.ok
  },
}

export const usersSetRole: Command = {
  name: 'users set-role',
  summary: 'Change the role of a member of the workspace, effective immediately',
  arguments: [user, { name: 'role', field: 'role', description: 'Role', choices: roles }],
  flags: [],
  examples: ['unirec users set-role ada admin'],
  async run({ arguments: given, output, connect }) {
    const changed = await managed(await connect()).call<Member>('PUT', pathOf(given.user), { role: given.role })
    output.line(output.json ? JSON.stringify(changed) : inline(`${changed.user} is now ${changed.role}`))
    return exitCodes.ok
  },
}

export const usersRemove: Command = {
  name: 'users remove',
  summary: 'Remove a member from the workspace, effective immediately',
  arguments: [user],
  flags: [],
  async run({ arguments: given, output, connect }) {
    await managed(await connect()).call('DELETE', pathOf(given.user))
    if (!output.json) output.note(`${given.user} has no role in the workspace any more`)
    return exitCodes.ok
  },
}
