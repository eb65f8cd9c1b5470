// Secrets of a configuration: read from where the file says, and those of new objects written to a file of their own.
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { CommandFailure, exitCodes } from '../command.ts'
import { unwritable } from '../replace-file.ts'
import type { ConfigurationFile } from './file.ts'
import type { Made, Step } from './plan.ts'
import type { SecretSource } from './schema.ts'

/** Undefined if there is none. */
export function secretIn(
  { env, file }: SecretSource,
  environment: NodeJS.ProcessEnv,
  { pathOf }: Pick<ConfigurationFile, 'pathOf'>,
): string | undefined {
  if (env !== undefined) return environment[env] || undefined
  try {
    return readFileSync(pathOf(file as string), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

export interface SecretsFile extends Disposable {
  add(step: Step, made: Made): void
}

/** Opened before anything is created: a secret that cannot be stored is lost. Each secret is a line of JSON. */
export function openSecretsFile(name: string): SecretsFile {
  let descriptor: number
  try {
    descriptor = openSync(name, 'a', 0o600)
  } catch (error) {
    throw unwritable(name, error, exitCodes.usage)
  }
  if (process.platform !== 'win32' && (fstatSync(descriptor).mode & 0o077) !== 0) {
    closeSync(descriptor)
    throw new CommandFailure(exitCodes.usage, `others on this machine can read ${name}. Run: chmod 600 ${name}`)
  }
  return {
    add({ workspace, kind, name: object }, { id, secret }) {
      writeSync(descriptor, `${JSON.stringify({ workspace, kind, name: object, id, secret })}\n`)
      fsyncSync(descriptor)
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}
