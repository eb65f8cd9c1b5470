// The names of all settings, to find misspelled ones, which would otherwise be ignored silently.
import { distance } from './base/nearest.ts'

export const settingNames = [
  'ACTIVITY_DAYS',
  'ADMIN_PASSWORD',
  'ADMIN_TOKEN',
  'ADMIN_USER',
  'ALLOWED_HOSTS',
  'CALL_TIMEOUT_MS',
  'CHANGES_DAYS',
  'CORS_ORIGINS',
  'CREDENTIAL_CONCURRENCY',
  'CREDENTIAL_REQUESTS_PER_MINUTE',
  'DATABASE_DIRECT_URL',
  'DATABASE_URL',
  'DATA_DIR',
  'ENCRYPTION_KEY',
  'HOST',
  'HTTPS_PROXY',
  'LOG_LEVEL',
  'MANAGE_HOST',
  'MANAGE_PORT',
  'MAX_CONNECTIONS',
  'MAX_IN_FLIGHT',
  'MAX_WAIT_MS',
  'METRICS_TOKEN',
  'NO_PROXY',
  'OIDC_ALLOWED_DOMAINS',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_DEFAULT_ROLE',
  'OIDC_DEFAULT_WORKSPACE',
  'OIDC_ISSUER',
  'PACE_SCALE',
  'PLATFORM_LIMITS',
  'PORT',
  'PROXY_RESOLVES_NAMES',
  'PUBLIC_URL',
  'READ_AHEAD',
  'READ_THREADS',
  'SANDBOX',
  'SANDBOX_URL',
  'SHED_WAIT_MS',
  'SHUTDOWN_MS',
  'TRUST_PROXY',
]
/** Too short to compare, or one letter from a variable that other programs use, such as HTTP_PROXY. */
const ambiguous = ['HOST', 'HTTPS_PROXY', 'NO_PROXY', 'PORT']

/** One sentence for each variable that is at most one edit from a setting, ignoring case. */
export function misspelledSettings(environment: NodeJS.ProcessEnv): string[] {
  const candidates = settingNames.filter((name) => !ambiguous.includes(name))
  // One edit leaves the length about the same, and the first or the last letter. Most pairs need no more comparison.
  const ends = (name: string) => [name[0], name.at(-1)].map((letter) => letter?.toUpperCase())
  const isClose = (name: string, one: string) =>
    Math.abs(name.length - one.length) <= 1 &&
    ends(name).some((letter, index) => letter === ends(one)[index]) &&
    distance(name, one) <= 1
  return Object.keys(environment).flatMap((name) => {
    const meant = settingNames.includes(name) ? undefined : candidates.find((one) => isClose(name, one))
    return meant && environment[name] ? [`${name} is not a setting and has no effect; did you mean ${meant}?`] : []
  })
}
