// DATA_DIR/sandbox.json: what a sandbox on this machine tells to tools.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { SandboxFile } from '../sandbox-workspace.ts'
import type { Invocation } from './command.ts'

export const dataDirOf = ({ flags, environment }: Pick<Invocation, 'flags' | 'environment'>): string =>
  resolve(typeof flags['data-dir'] === 'string' ? flags['data-dir'] : environment.DATA_DIR || './data')

export function readSandboxFile(dataDir: string): SandboxFile | undefined {
  const file = join(dataDir, 'sandbox.json')
  if (!existsSync(file)) return undefined
  try {
    const known = JSON.parse(readFileSync(file, 'utf8')) as SandboxFile
    return known.baseUrl && known.apiKey ? known : undefined
  } catch {
    return undefined // another user's file, or one that cannot be read: treated as absent
  }
}
