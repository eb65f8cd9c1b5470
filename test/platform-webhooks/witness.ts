// Signatures of webhooks that a simulator sends, computed from the rule that the vendor publishes, with the secret that
// the simulator knows. Nothing here uses the code that signs or verifies.
import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'

interface Sent {
  url: string
  headers: Readonly<Record<string, string>> // with lowercase names
  body: string
}
interface Rule {
  source: string
  header: string
  hash?: 'sha1' | 'sha256' // the latter by default
  encoding: 'base64' | 'hex'
  /** What is signed; the body by default. */
  content?(sent: Sent): string
  /** How the header has the signature; alone by default. */
  written?(signature: string): string
}
const zoho: Rule = {
  source: 'https://www.zoho.com/billing/kb/webhooks/securing-webhooks.html',
  header: 'x-zoho-webhook-signature',
  encoding: 'hex',
}
const rules: Readonly<Record<string, Rule>> = {
  bigcommerce: {
    source: 'https://developer.bigcommerce.com/docs/integrations/webhooks/https-webhook-overview',
    header: 'webhook-signature',
    encoding: 'base64',
    content: ({ headers, body }) => `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
    written: (signature) => `v1,${signature}`,
  },
  freshbooks: {
    source: 'https://github.com/freshbooks/freshbooks-python-sdk/blob/main/docs/source/user_guide/webhooks.md',
    header: 'x-freshbooks-hmac-sha256',
    encoding: 'base64',
    // The form as Python writes a dictionary in JSON.
    content: ({ body }) => {
      const form = [...new URLSearchParams(body)]
      return `{${form.map((pair) => pair.map((text) => JSON.stringify(text)).join(': ')).join(', ')}}`
    },
  },
  'lightspeed-x': {
    source: 'https://x-series-api.lightspeedhq.com/docs/webhooks',
    header: 'x-signature',
    encoding: 'hex',
    written: (signature) => `signature=${signature},algorithm=HMAC-SHA256`,
  },
  loyverse: {
    source: 'https://developer.loyverse.com/docs/#tag/Webhooks',
    header: 'x-loyverse-signature',
    hash: 'sha1',
    encoding: 'hex',
  },
  'quickbooks-online': {
    source: 'https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks',
    header: 'intuit-signature',
    encoding: 'base64',
  },
  shopify: {
    source: 'https://shopify.dev/docs/apps/build/webhooks',
    header: 'x-shopify-hmac-sha256',
    encoding: 'base64',
  },
  square: {
    source: 'https://developer.squareup.com/docs/webhooks/overview',
    header: 'x-square-hmacsha256-signature',
    encoding: 'base64',
    content: ({ url, body }) => url + body,
  },
  toast: {
    source: 'https://doc.toasttab.com/doc/devguide/apiMessageSigning.html',
    header: 'toast-signature',
    encoding: 'base64',
    content: ({ body }) => body + JSON.parse(body).timestamp,
  },
  woocommerce: {
    source: 'https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks',
    header: 'x-wc-webhook-signature',
    encoding: 'base64',
  },
  xero: {
    source: 'https://developer.xero.com/documentation/guides/webhooks/configuring-your-server/',
    header: 'x-xero-signature',
    encoding: 'base64',
  },
  'zoho-books': zoho,
  'zoho-inventory': zoho,
}

/** The header that the rule gives. */
function headerBy({ hash = 'sha256', encoding, content, written }: Rule, sent: Sent, secret: string): string {
  const signature = createHmac(hash, secret)
    .update(content?.(sent) ?? sent.body)
    .digest(encoding)
  return written?.(signature) ?? signature
}

export interface Witness {
  simulators: Readonly<Record<string, CreateSimulator>>
  /** Of the last webhook that the platform has sent. */
  expectSigned(): void
}
export function witnessOf(platform: string): Witness {
  const sent: Sent[] = []
  const secrets = new Set<string>() // the platform knows them
  const learn = (secret: unknown) => {
    // A console with several subscriptions shows a secret for each.
    if (typeof secret === 'string') for (const one of [secret, ...secret.split(' ')]) secrets.add(one)
  }
  const create: CreateSimulator = (options) => {
    const { webhooks } = options
    const simulator = (simulators[platform] as CreateSimulator)({
      ...options,
      webhooks: webhooks && {
        onChange: (listener) => webhooks.onChange(listener),
        send(webhook) {
          const headers = Object.entries(webhook.headers).map(([name, value]) => [name.toLowerCase(), value])
          sent.push({ url: webhook.url, headers: Object.fromEntries(headers), body: webhook.body })
          learn(new URLSearchParams(webhook.body).get('verifier'))
          webhooks.send(webhook)
        },
      },
    })
    for (const { credentials } of simulator.tenants) learn(credentials.clientSecret)
    const { enterWebhook } = simulator
    return {
      ...simulator,
      handle(request) {
        learn(/"secret":"([^"]+)"/.exec(request.body)?.[1]) // of a registration
        return simulator.handle(request)
      },
      ...(enterWebhook && {
        enterWebhook(url, chosen) {
          const entered = enterWebhook(url, chosen)
          learn(entered.secret ?? chosen?.secret)
          return entered
        },
      }),
    }
  }
  return {
    simulators: { [platform]: create },
    expectSigned() {
      const rule = rules[platform]
      if (!rule) throw new Error(`how ${platform} signs is not in the table of ${import.meta.filename}`)
      const last = sent.findLast(({ headers }) => headers[rule.header] !== undefined)
      if (!last) throw new Error(`${platform} has sent no signature in ${rule.header}`)
      const right = [...secrets].map((secret) => headerBy(rule, last, secret))
      expect(right, rule.source).toContain(last.headers[rule.header])
    },
  }
}
