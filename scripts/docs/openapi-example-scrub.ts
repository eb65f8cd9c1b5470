// Makes examples of responses: short, without secrets, and without the addresses of the machine.

interface Options {
  origins: Readonly<Record<string, string>>
  sandboxUrl?: string | undefined
}

/** Members with a secret or a long random text, and what the examples have instead. */
const secrets: Readonly<Record<string, string>> = {
  key: 'urk_4f2a9c1e.example-secret-of-an-api-key',
  secret: 'example-secret',
  client_secret: 'example-secret',
  clientSecret: 'example-secret',
  access_token: 'example-access-token',
  token: 'example-token',
  csrf: 'example-csrf-token',
  password: 'example-password-1',
  currentPassword: 'example-password-1',
  newPassword: 'example-password-2',
  invitation: 'example-token',
  cursor: 'example-cursor',
  next: 'example-cursor',
}
/** Objects whose members are all secrets. */
const secretObjects = new Set(['credentials'])
const longest = 400
const mostEntries = 2
/** Objects with one member per entity type or platform: the first ones are enough. */
const shortened = new Set(['entities', 'definitions'])

export function scrubbed(value: unknown, options: Options, name = ''): unknown {
  if (typeof value === 'string') return scrubbedText(value, options, name)
  if (Array.isArray(value))
    return value.slice(0, mostEntries).map((one) => scrubbed(one, options, typeof one === 'string' ? name : ''))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).slice(0, shortened.has(name) ? mostEntries : undefined)
  return Object.fromEntries(
    entries.flatMap(([member, inner]) => {
      if (member === 'cookies') return []
      if (secretObjects.has(member) && typeof inner === 'object' && inner !== null && !Array.isArray(inner))
        return [[member, Object.fromEntries(Object.keys(inner).map((one) => [one, 'example-secret']))]]
      return [[member, scrubbed(inner, options, member)]]
    }),
  )
}

function scrubbedText(text: string, { origins, sandboxUrl }: Options, name: string): string {
  const secret = secrets[name]
  if (secret !== undefined && isSecret(name, text)) return secret
  let result = text
  const shownFor = { ...origins, ...(sandboxUrl ? { [sandboxUrl]: 'https://sandbox.example.com' } : {}) }
  for (const [origin, shown] of Object.entries(shownFor))
    result = result.replaceAll(origin, shown).replaceAll(encodeURIComponent(origin), encodeURIComponent(shown))
  result = result
    .replaceAll(/http:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g, 'https://sandbox.example.com')
    .replaceAll('127.0.0.1', '203.0.113.7')
    // Links that are credentials.
    .replaceAll(/(\/(?:connect|hooks|invitation|reset)[^\s"]*?[/#])[\w-]{20,}(\.[\w-]+)?/g, '$1example-token')
    .replaceAll(/([?&](?:code|state|nonce|code_challenge|iss)=)[^&\s"]+/g, '$1example')
  return result.length > longest ? `${result.slice(0, longest)}…` : result
}
/** `key` is also the name of a mapping key, and `token` of a kind of credential. */
const isSecret = (name: string, text: string) => name !== 'key' || text.startsWith('urk_')
