// Packages of Debian, for root.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

/**
 * Installs a Debian package if possible. Called before the workers of the tests start: `apt-get` refuses to run twice
 * at a time.
 */
export async function installPackage(name: string): Promise<void> {
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return
  const aptGet = (...parameters: string[]) =>
    promisify(execFile)('apt-get', parameters, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  try {
    await aptGet('update')
    await aptGet('install', '--yes', '--no-install-recommends', name)
  } catch (error) {
    console.error(`${name} could not be installed: ${(error as Error).message.slice(0, 500)}`)
  }
}
