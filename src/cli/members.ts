// unirec users invite, members, set-role, remove: roles of people in a workspace, through the management API.
import { roles } from '../contract/roles.ts'
import { CommandFailure, exitCodes } from './command.ts'
import { command, listCommand } from './operation.ts'

const user = { name: 'user', listedBy: 'unirec users members', description: 'Name of the user' }

export const usersMembers = listCommand({
  operation: 'listMembers',
  name: 'users members',
  summary: 'List who has which role in the workspace',
  columns: { user: ({ user }) => user, role: ({ role }) => role, since: ({ createdAt }) => createdAt },
  none: 'no one has a role in this workspace except installation admins; see unirec users invite --help',
})

export const usersInvite = command({
  operation: 'createInvitation',
  name: 'users invite',
  summary: 'Invite a person into the workspace; prints a link that works once',
  arguments: { name: { name: 'name', description: 'Name or email address' } },
  flags: { role: { description: 'Role in the workspace' }, days: { value: 'COUNT' } },
  examples: ['unirec users invite ada@example.com --role operator'],
  check({ flags }) {
    if (flags.role === undefined)
      throw new CommandFailure(exitCodes.usage, `users invite needs --role ${roles.join('|')}`)
  },
  show: ({ url, expiresAt }) => ({
    lines: [url],
    note: `pass it on: it works once, until ${expiresAt}, and is not shown again`,
  }),
})

export const usersSetRole = command({
  operation: 'setMember',
  name: 'users set-role',
  summary: 'Change the role of a member of the workspace, effective immediately',
  arguments: { user, role: { name: 'role', description: 'Role', choices: roles } },
  examples: ['unirec users set-role ada admin'],
  show: ({ user, role }) => ({ lines: [`${user} is now ${role}`] }),
})

export const usersRemove = command({
  operation: 'removeMember',
  name: 'users remove',
  summary: 'Remove a member from the workspace, effective immediately',
  arguments: { user },
  show: (_, { arguments: { user } }) => ({ note: `${user} has no role in the workspace any more` }),
})
