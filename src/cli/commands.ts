// All commands of `unirec`, in the order of the help. What they need beyond their declaration is loaded when they run.
import { accountsConnect, accountsList, accountsReconnect, accountsTest } from './accounts.ts'
import { backup, restore } from './backup.ts'
import { changesCommand } from './changes.ts'
import type { Command } from './command.ts'
import { completion } from './completion.ts'
import { doctor } from './doctor.ts'
import { encryptionKeyRotate } from './encryption-key.ts'
import { hooksList, hooksSetSecret } from './hooks.ts'
import { keysCreate, keysList, keysRevoke, keysRotate } from './keys.ts'
import { listen } from './listen.ts'
import { mcpCommand } from './mcp.ts'
import { migrateCommand } from './migrate/command.ts'
import { diffCommand } from './migrate/diff-command.ts'
import { nativeCommand } from './native.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'
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

export const commands: readonly Command[] = [
  serve,
  accountsList,
  accountsConnect,
  accountsReconnect,
  accountsTest,
  keysList,
  keysCreate,
  keysRotate,
  keysRevoke,
  pull,
  push,
  nativeCommand,
  changesCommand,
  mcpCommand,
  watchList,
  watchSet,
  watchStop,
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
  hooksList,
  hooksSetSecret,
  migrateCommand,
  diffCommand,
  doctor,
  backup,
  restore,
  encryptionKeyRotate,
  workspacesList,
  workspacesCreate,
  workspacesRename,
  workspacesDelete,
  usersList,
  usersCreate,
  usersResetPassword,
  faultList,
  faultSet,
  faultClear,
  completion,
]
