// A platform may return the credentials of a call in its error. They are removed before anyone sees them.
import { expect, it } from 'vitest'
import { createHarness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

/** Errors in the format of each platform. */
const platforms = {
  square: (words: string) => ({ errors: [{ code: words, detail: words, field: words }] }),
  woocommerce: (words: string) => ({ code: `rest_${words}`, message: words, data: { status: 400 } }),
  'zoho-books': (words: string) => ({ code: 9999, message: words }),
}
const base64 = (text: string) => Buffer.from(text).toString('base64')
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  base64(secret),
  base64(`Bearer ${secret}`),
  base64(`user:${secret}`),
  base64(`name:of-a-user:${secret}:more`),
]
/** Parts that a text must not contain, whatever surrounds them in Base64. */
const partsOf = (secret: string): string[] => [
  secret,
  ...formsOf(secret)
    .slice(1, 2)
    .filter((form) => form !== secret),
  ...formsOf(secret)
    .slice(2)
    .map((form) => form.slice(Math.floor(form.length / 2), Math.floor(form.length / 2) + 8)),
]

it.each(Object.entries(platforms))(
  '%s: an error that contains a credential shows it in no response, log or activity',
  async (platform, errorOf) => {
    const harness = await createHarness({ connectors, simulators, platform })
    try {
      const { vertical } = harness.tenants[0]!
      const path = `/unified/${harness.accountId(vertical)}/customer`
      const { credentials } = (await harness.service.store.accounts.get(harness.accountId(vertical)))!
      const secrets = Object.entries(credentials).flatMap(([name, value]) =>
        /token|secret|password|key/i.test(name) && value.length >= 8 ? [value] : [],
      )
      expect(secrets.length).toBeGreaterThan(0)
      const texts = secrets.flatMap((secret) => [
        ...formsOf(secret),
        ...[190, 195, 990, 995].map((length) => `${'x'.repeat(length)}${secret}`), // where a message is cut
      ])
      const replies: string[] = []
      const start = harness.output().length
      for (const [n, words] of texts.entries()) {
        for (const [method, status, body] of [
          ['GET', 400, errorOf(words)],
          ['POST', 400, errorOf(words)],
          ['GET', 500, errorOf(words)],
        ] as const) {
          harness.sandbox.fault(platform, { kind: 'foreign_before', status, body })
          const record = method === 'POST' ? { externalId: `E-${n}`, name: 'Ada', currencyCode: 'USD' } : undefined
          const reply = await harness.call(method, path, record, { prefer: 'wait=60' })
          harness.sandbox.clearFaults(platform)
          expect([method, words, reply.status >= 400]).toEqual([method, words, true])
          replies.push(JSON.stringify(reply.body))
        }
      }
      expect(replies.filter((reply) => reply.includes('•••')).length).toBeGreaterThan(texts.length)
      const ids = async () => (await harness.manage('GET', '/activity?limit=500')).body.data
      await expect.poll(async () => (await ids()).length).toBeGreaterThanOrEqual(replies.length)
      const activity = await Promise.all(
        (await ids()).map(
          async ({ requestId }: { requestId: string }) => (await harness.manage('GET', `/activity/${requestId}`)).body,
        ),
      )
      const shown = { replies: replies.join(), log: harness.output().slice(start), activity: JSON.stringify(activity) }
      const found = Object.entries(shown).flatMap(([place, text]) =>
        secrets.flatMap((secret) =>
          [...partsOf(secret), secret.slice(0, 8)].filter((part) => text.includes(part)).map((part) => [place, part]),
        ),
      )
      expect(found).toEqual([])
    } finally {
      await harness.close()
    }
  },
)
