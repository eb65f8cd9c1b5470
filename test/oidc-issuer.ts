// An OpenID provider for tests (oidc-provider), with a page on which a person enters an email address.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import { listenHere } from './listen.ts'

export interface OidcIssuer {
  url: string
  client: { clientId: string; clientSecret: string }
  /** Accepts sign-ins from this origin. Before, the provider does not respond. */
  serve(origin: string): void
  /** Signs in without a browser: from the address of the provider to the query that it returns. */
  signIn(address: string, email: string): Promise<string>
  close(): Promise<void>
}

export async function openIssuer(): Promise<OidcIssuer> {
  const client = { clientId: 'unified-records', clientSecret: randomBytes(24).toString('hex') }
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    if (!provider) return void response.writeHead(503).end()
    if (request.url?.startsWith('/interaction/')) return void interact(provider, request, response)
    return void provider.callback()(request, response)
  })
  const url = `http://127.0.0.1:${await listenHere(server)}`

  return {
    url,
    client,
    serve(origin) {
      provider = createProvider(url, client, `${origin}/dashboard/sso`)
    },
    async signIn(address, email) {
      const cookies = new Map<string, string>()
      let next = address
      let form: URLSearchParams | undefined
      for (let step = 0; step < 10; step++) {
        const response = await fetch(next, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
          ...(form ? { method: 'POST', body: form } : {}),
        })
        for (const cookie of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        form = undefined
        if (location === null) form = new URLSearchParams({ email })
        else next = new URL(location, url).href
        if (!next.startsWith(url)) return new URL(next).search
      }
      throw new Error('the provider did not redirect back')
    },
    close: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  }
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    const email = new URLSearchParams(await text(request)).get('email') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId: `subject-${email}` } })
    return
  }
  response.setHeader('content-type', 'text/html')
  response.end(
    '<!doctype html><title>Identity provider</title><form method="post"><label>Email <input name="email"></label><button>Continue</button></form>',
  )
}

function createProvider(url: string, { clientId, clientSecret }: OidcIssuer['client'], redirectUri: string): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as never] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    renderError: (_, out) => Promise.reject(new Error(`${out.error}: ${out.error_description}`)),
    ttl: { Session: 60, Grant: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_, accountId) => {
      const email = accountId.replace('subject-', '')
      const claims = { email, email_verified: !email.startsWith('unverified'), name: `Name of ${email}` }
      return { accountId, claims: () => ({ sub: accountId, ...claims }) }
    },
    // Everyone has consented.
    async loadExistingGrant({ oidc }) {
      const grant = new (oidc.provider as Provider).Grant({
        clientId: oidc.client?.clientId as string,
        accountId: oidc.session?.accountId as string,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
}
