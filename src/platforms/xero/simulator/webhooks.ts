// Webhooks of the app, entered in the developer portal. Xero sends events only after the URL has passed the check
// "intent to receive": 200 for a correct signature, 401 for a wrong one.
// https://developer.xero.com/documentation/guides/webhooks/configuring-your-server/
import { createHmac, randomBytes } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import type { StoredContact, World } from './world.ts'

interface Entered {
  url: string
  key: string
  status: 'unchecked' | 'ok' | 'disabled'
  sequence: number // of the last event
}
/** "With decreasing frequency for up to 24 hours"; the waits are not documented. Then the webhook is disabled. */
const retrySeconds = [60, 300, 900, 3600, 10_800, 21_600, 49_140]
const wrongSignatures = 3
const mostWaiting = 100 // events, until the check has passed

export function createXeroWebhooks(
  world: World,
  state: State,
  webhooks: Webhooks | undefined,
): NonNullable<Simulator['enterWebhook']> {
  const entered = state.collection<Entered>('webhooks')
  const current = (): Entered | undefined => entered.get('app')
  let events: Fields[] = []
  let isScheduled = false

  function post(
    body: Fields,
    options: { signedWith?: string; retries?: boolean },
    attempted: (status: number) => void,
  ) {
    const { url, key } = current()!
    const text = JSON.stringify({ ...body, entropy: randomBytes(10).toString('hex').toUpperCase() })
    webhooks?.send({
      url,
      headers: {
        'content-type': 'application/json',
        'x-xero-signature': createHmac('sha256', options.signedWith ?? key)
          .update(text)
          .digest('base64'),
      },
      body: text,
      ...(options.retries && { retrySeconds }),
      attempted,
    })
  }

  function check(): void {
    const { url } = current()!
    const passed = new Set<number>()
    for (let n = 0; n <= wrongSignatures; n += 1)
      post(
        { events: [], firstEventSequence: 0, lastEventSequence: 0 },
        n === 0 ? {} : { signedWith: randomBytes(16).toString('hex') },
        (status) => {
          if (status === (n === 0 ? 200 : 401)) passed.add(n)
          const now = current()!
          if (passed.size <= wrongSignatures || now.url !== url || now.status === 'ok') return
          entered.set('app', { ...now, status: 'ok' })
          flush()
        },
      )
  }

  function flush(): void {
    const now = current()
    if (now === undefined || now.status === 'disabled') events = []
    if (now === undefined || events.length === 0) return
    // In the portal a person repeats a check that failed; here the next change does.
    if (now.status === 'unchecked') {
      events = events.slice(-mostWaiting)
      check()
      return
    }
    const first = now.sequence + 1
    const last = now.sequence + events.length
    entered.set('app', { ...now, sequence: last })
    let attempts = 0
    post({ events, firstEventSequence: first, lastEventSequence: last }, { retries: true }, (status) => {
      attempts += 1
      if (status !== 200 && attempts > retrySeconds.length) entered.set('app', { ...current()!, status: 'disabled' })
    })
    events = []
  }

  webhooks?.onChange(({ collection, id, record, before }) => {
    if (collection !== 'contacts' || record === undefined || !current()) return
    // Changes of one call are one webhook.
    if (!isScheduled)
      queueMicrotask(() => {
        isScheduled = false
        flush()
      })
    isScheduled = true
    events.push({
      resourceUrl: `https://api.xero.com/api.xro/2.0/Contacts/${id}`,
      resourceId: id,
      tenantId: world.tenantId,
      tenantType: 'ORGANISATION',
      eventCategory: 'CONTACT',
      eventType: before === undefined ? 'CREATE' : 'UPDATE',
      eventDateUtc: new Date((record as StoredContact).updated).toISOString().slice(0, -1), // without an offset
    })
  })

  /** An app has one webhook. Its key stays, and a new URL must pass the check. */
  return (url) => {
    const key = current()?.key ?? randomBytes(64).toString('base64')
    entered.set('app', { url, key, status: 'unchecked', sequence: current()?.sequence ?? 0 })
    check()
    return { secret: key }
  }
}
