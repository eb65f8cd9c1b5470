// All commands of `unirec`, in the order and under the titles of the help. What they need beyond their declaration is
// loaded when they run.
import { accountsConnect, accountsList, accountsReconnect, accountsTest } from './accounts.ts'
import { applyCommand, exportCommand } from './apply/command.ts'
import { backup, restore } from './backup.ts'
import { changesCommand } from './changes.ts'
import type { Command, CommandGroup } from './command.ts'
import { completion } from './completion.ts'
import { connectLinkCreate, connectLinkList, connectLinkRevoke } from './connect-links.ts'
import { doctor } from './doctor.ts'
import { encryptionKeyRotate } from './encryption-key.ts'
import { eraseCommand } from './erase.ts'
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys.ts'
import { listen } from './listen.ts'
import { login, logout, profilesList, profilesUse } from './login.ts'
import { logsShow, logsTail } from './logs.ts'
import { mcpCommand } from './mcp.ts'
import { usersInvite, usersMembers, usersRemove, usersSetRole } from './members.ts'
import { migrateCommand } from './migrate/command.ts'
import { diffCommand } from './migrate/diff-command.ts'
import { nativeCommand } from './native.ts'
import { openCommand } from './open.ts'
import { hooksList, hooksSetSecret } from './platform-webhooks.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'
import { createCommand, getCommand, updateCommand } from './records.ts'
import { faultClear, faultList, faultSet } from './sandbox-fault.ts'
import { serve } from './serve.ts'
import { usersCreate, usersList, usersResetPassword } from './users.ts'
import { watchList, watchSet, watchStop } from './watch.ts'
import { webhooksDeliveries, webhooksReplay, webhooksResend, webhooksTest } from './webhook-deliveries.ts'
import {
  webhooksAdd,
  webhooksDelete,
  webhooksDisable,
  webhooksEnable,
  webhooksList,
  webhooksRotate,
  webhooksUpdate,
} from './webhooks.ts'
import { workspacesCreate, workspacesDelete, workspacesList, workspacesRename } from './workspaces.ts'

export const commandGroups: readonly CommandGroup[] = [
  { title: 'Get started', commands: [serve, login, logout, profilesList, profilesUse, openCommand, doctor] },
  {
    title: 'Work with records',
    commands: [pull, push, getCommand, createCommand, updateCommand, nativeCommand, changesCommand],
  },
  {
    title: 'Connect platforms',
    commands: [
      accountsList,
      accountsConnect,
      accountsReconnect,
      accountsTest,
      connectLinkCreate,
      connectLinkList,
      connectLinkRevoke,
      watchList,
      watchSet,
      watchStop,
      hooksList,
      hooksSetSecret,
    ],
  },
  {
    title: 'Observe',
    commands: [
      logsTail,
      logsShow,
      webhooksList,
      webhooksAdd,
      webhooksUpdate,
      webhooksTest,
      webhooksDeliveries,
      webhooksResend,
      webhooksReplay,
      webhooksRotate,
      webhooksEnable,
      webhooksDisable,
      webhooksDelete,
      listen,
    ],
  },
  { title: 'Move a business', commands: [migrateCommand, diffCommand] },
  {
    title: 'Control access',
    commands: [
      keysList,
      keysCreate,
      keysRotate,
      keysRevoke,
      usersList,
      usersCreate,
      usersResetPassword,
      usersInvite,
      usersMembers,
      usersSetRole,
      usersRemove,
      workspacesList,
      workspacesCreate,
      workspacesRename,
      workspacesDelete,
    ],
  },
  {
    title: 'Operate a service',
    commands: [
      applyCommand,
      exportCommand,
      backup,
      restore,
      encryptionKeyRotate,
      eraseCommand,
      faultList,
      faultSet,
      faultClear,
    ],
  },
  { title: 'Tools', commands: [mcpCommand, completion] },
]

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands)
