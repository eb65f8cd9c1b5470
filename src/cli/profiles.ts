// Profiles: URLs and credentials that `unirec login` stores for later commands, in a file that only its owner can read.
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CommandFailure, exitCodes, type Invocation, unreadable } from './command.ts'
import { didYouMean } from './parse.ts'

/** At most one credential for records, and one for the management API. */
export interface Profile {
  url: string
  apiKey?: string
  accessId?: string
  accessSecret?: string
  authUrl?: string
  adminToken?: string
  session?: { user: string; token: string; expiresAt: string }
  workspace?: string
}
export interface ProfileFile {
  version: 1
  current?: string // used if none is named
  profiles: Record<string, Profile>
}

export const firstProfile = 'default'
const nameRule = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export function profilesFile(environment: NodeJS.ProcessEnv): string {
  const own = environment.XDG_CONFIG_HOME || (process.platform === 'win32' && environment.APPDATA)
  return join(own || join(environment.HOME || homedir(), '.config'), 'unirec', 'profiles.json')
}

export function readProfiles(environment: NodeJS.ProcessEnv): ProfileFile {
  const file = profilesFile(environment)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return { version: 1, profiles: {} }
    throw unreadable(file, error)
  }
  try {
    const found = JSON.parse(text) as ProfileFile
    if (found.version === 1 && Object.values(found.profiles).every(({ url }) => URL.canParse(url))) return found
  } catch {
    // A message of the parser would quote the file, and with it a secret.
  }
  throw new CommandFailure(exitCodes.usage, `${file} is damaged. Delete it, and log in again: unirec login`)
}

/** A reader sees the old file or the new one. */
export function writeProfiles(environment: NodeJS.ProcessEnv, content: ProfileFile): string {
  const file = profilesFile(environment)
  const part = `${file}.${process.pid}.part`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(part, { force: true })
    writeFileSync(part, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(part, 0o600) // whatever the umask is
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw new CommandFailure(exitCodes.usage, `${file} cannot be written: ${(error as Error).message}`)
  }
  return file
}

/** The name that a flag or the environment gives. */
export function namedProfile({ flags, environment }: Pick<Invocation, 'flags' | 'environment'>): string | undefined {
  const [source, name] =
    typeof flags.profile === 'string' ? ['--profile', flags.profile] : ['UNIREC_PROFILE', environment.UNIREC_PROFILE]
  if (name && !nameRule.test(name))
    throw new CommandFailure(
      exitCodes.usage,
      `${source} must have up to 64 letters, digits, ".", "_" or "-", and begin with a letter or digit, not "${name}"`,
    )
  return name || undefined
}

export interface ChosenProfile extends Profile {
  name: string
  byFlag: boolean
}
/** The profile of --profile, of UNIREC_PROFILE, or the current one. */
export function chosenProfile(given: Pick<Invocation, 'flags' | 'environment' | 'output'>): ChosenProfile | undefined {
  const name = namedProfile(given)
  const { current, profiles } = readProfiles(given.environment)
  const wanted = name ?? current
  if (wanted === undefined) return undefined
  const found = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (!found && name === undefined) return undefined
  if (!found) {
    const known = Object.keys(profiles)
    throw new CommandFailure(
      exitCodes.usage,
      `there is no profile "${wanted}"${didYouMean(wanted, known)}. Create it with unirec login --profile ${wanted}; unirec profiles list shows all`,
    )
  }
  warnIfOpen(given)
  return { ...found, name: wanted, byFlag: typeof given.flags.profile === 'string' }
}

function warnIfOpen({ environment, output }: Pick<Invocation, 'environment' | 'output'>): void {
  const file = profilesFile(environment)
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    output.note(`warning: others on this machine can read your credentials. Run: chmod 600 ${file}`)
}
