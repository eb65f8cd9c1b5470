// unirec users …: who may log in to the management API. Works on the database itself, beside a running service too, so
// that a lost password can always be replaced.
import { userInfo } from 'node:os'
import { type Role, roles } from '../contract/roles.ts'
import type { Store } from '../store/store.ts'
import { type Command, CommandFailure, exitCodes, type Flag, type Invocation } from './command.ts'
import { pipedSecret } from './secret-input.ts'
import { serverSettings } from './server-settings.ts'
import { showTable } from './table.ts'

const passwordStdin: Flag = {
  name: 'password-stdin',
  type: 'boolean',
  description: 'Read the password from standard input; by default one is generated and printed',
}
const user = { name: 'user', description: 'Name of the user' }

export const usersCreate: Command = {
  name: 'users create',
  summary: 'Create a user of the dashboard and the management API',
  arguments: [user],
  flags: [
    passwordStdin,
    {
      name: 'role',
      type: 'string',
      choices: roles,
      description: 'Give the user this role in the workspace of --workspace; by default an installation admin',
    },
  ],
  examples: [
    'unirec users create ada',
    'unirec users create ada --workspace urw_1 --role viewer',
    'unirec users create ada --password-stdin < password.txt',
  ],
  async run(invocation) {
    const name = invocation.arguments.user as string
    const { isUserName, userNameRule } = await import('../users.ts')
    if (!isUserName(name)) throw new CommandFailure(exitCodes.usage, `<user> must be ${userNameRule}`)
    const { workspace, role } = invocation.flags as { workspace?: string; role?: Role }
    if (role !== undefined && workspace === undefined)
      throw new CommandFailure(exitCodes.usage, '--role needs --workspace: the id of the workspace')
    return withPassword(invocation, 'createUser', `created user ${name}`, async (store, passwordHash) => {
      if (role && !(await store.workspaces.get(workspace as string)))
        throw new CommandFailure(exitCodes.failed, `there is no workspace ${workspace}; the dashboard shows the ids`)
      if (!(await store.users.create({ name, passwordHash, isAdmin: role === undefined })))
        throw new CommandFailure(
          exitCodes.failed,
          `user ${name} already exists. For a new password run: unirec users reset-password ${name}`,
        )
      if (role) await store.members.put(workspace as string, { user: name, role })
    })
  },
}

export const usersResetPassword: Command = {
  name: 'users reset-password',
  summary: 'Set a new password for a user and end the sessions of the user',
  arguments: [user],
  flags: [passwordStdin],
  examples: ['unirec users reset-password admin', 'unirec users reset-password admin --password-stdin < password.txt'],
  async run(invocation) {
    const name = invocation.arguments.user as string
    return withPassword(
      invocation,
      'resetPassword',
      `set a new password for user ${name} and ended all sessions`,
      async (store, passwordHash) => {
        if (!(await store.users.resetPassword({ name, passwordHash })))
          throw new CommandFailure(
            exitCodes.failed,
            `there is no user ${name}. unirec users list shows all users; unirec users create ${name} creates this one`,
          )
      },
    )
  },
}

export const usersList: Command = {
  name: 'users list',
  summary: 'List the users of the dashboard and the management API',
  arguments: [],
  flags: [],
  async run(invocation) {
    const { output } = invocation
    await withStore(invocation, async (store) => {
      const users = await store.users.list()
      if (output.json) for (const one of users) output.line(JSON.stringify(one))
      else if (users.length > 0)
        showTable(
          output,
          ['user', 'access', 'workspaces', 'sessions'],
          users.map(({ name, isAdmin, workspaces, sessions }) => [
            name,
            isAdmin ? 'installation admin' : 'by role',
            workspaces,
            sessions,
          ]),
        )
      else output.note('there are no users; see unirec users create --help')
    })
    return exitCodes.ok
  },
}

/** The change and its audit entry are one transaction. A generated password is printed as soon as it is stored. */
async function withPassword(
  invocation: Invocation,
  action: string,
  done: string,
  change: (store: Store, passwordHash: string) => Promise<void>,
): Promise<number> {
  const { flags, output } = invocation
  const name = invocation.arguments.user as string
  const { createPassword, hashPassword, recordUserAction } = await import('../users.ts')
  const chosen = flags['password-stdin'] ? await readPassword(invocation.input) : undefined
  const password = chosen ?? createPassword()
  await withStore(invocation, async (store) => {
    const passwordHash = await hashPassword(password)
    await store.transaction(async (inner) => {
      await change(inner, passwordHash)
      await recordUserAction(inner, actor(), action, name)
    })
    const shown = chosen === undefined ? { password } : {}
    output.line(
      output.json
        ? JSON.stringify({ user: name, ...shown })
        : `${done}${chosen === undefined ? `\npassword ${password}` : ''}`,
    )
  })
  return exitCodes.ok
}

/** For the audit log. In a container, a user may have only a number. */
function actor(): string {
  try {
    return `unirec (${userInfo().username})`
  } catch {
    return `unirec (uid ${process.getuid?.()})`
  }
}

async function readPassword(input: Invocation['input']): Promise<string> {
  const refusal =
    '--password-stdin reads from a pipe or a file: a terminal would show the password. Without it, a password is generated'
  const { isPassword, passwordRule } = await import('../users.ts')
  const password = await pipedSecret(input, refusal)
  if (!isPassword(password))
    throw new CommandFailure(exitCodes.usage, `the password on standard input must have ${passwordRule}`)
  return password
}

async function withStore(invocation: Invocation, work: (store: Store) => Promise<void>): Promise<void> {
  const { databaseUrl, directUrl, dataDir, keys } = await serverSettings(invocation)
  const [{ openStore }, { createVault }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../store/vault.ts'),
  ])
  const store = await openStore({ dataDir, vault: createVault(keys()), databaseUrl, directUrl })
  try {
    if ((await store.inspect()).pendingMigrations.length > 0) await store.migrate()
    await work(store)
  } finally {
    await store.close()
  }
}
