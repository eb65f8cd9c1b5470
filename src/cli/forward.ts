// Deliveries of unirec listen: the body and headers of a webhook endpoint, and a few attempts instead of three days.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../../packages/client/src/index.ts'
import { version } from '../base/version.ts'
import { bodyOf } from '../deliveries/body.ts'
import { signatureHeaders } from '../deliveries/signature.ts'
import type { Output } from './command.ts'
import { reasonOf } from './manage.ts'
import { inline, printable } from './printable.ts'

const retriesMs = [500, 1_000, 2_000, 4_000]
const timeoutMs = 15_000
const atOnce = 8

export interface ForwardOptions {
  /** Absent: events are only printed. */
  url?: string | undefined
  secret: string
  print: boolean
  output: Output
  signal: AbortSignal
}
interface LocalEvent {
  type: string
  /** Distinguishes events of an account. */
  key: string
  at: number
  data: { accountId: string; [name: string]: unknown }
}
export interface Forward {
  changes(accountId: string, changes: readonly Change[]): Promise<void>
  lost(accountId: string, reason: string): Promise<void>
}

export function createForward({ url, secret, print, output, signal }: ForwardOptions): Forward {
  async function attempt(target: string, id: string, body: string): Promise<string | undefined> {
    try {
      const response = await fetch(target, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'user-agent': `unified-records/${version}`,
          'content-type': 'application/json',
          ...signatureHeaders([{ secret }], { id, body, now: Date.now() }),
        },
        body,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      return response.ok ? undefined : `responded with ${response.status}`
    } catch (error) {
      signal.throwIfAborted()
      return (error as Error).name === 'TimeoutError' ? `no response within ${timeoutMs / 1000} s` : reasonOf(error)
    }
  }
  async function deliver({ type, key, at, data }: LocalEvent): Promise<void> {
    const id = `msg_${createHash('sha256').update(`${data.accountId} ${key}`).digest('base64url').slice(0, 27)}`
    const body = bodyOf({ format: 'standard' }, { id, type, at, data })
    if (print) await output.data(`${printable(body)}\n`)
    if (url === undefined) return
    const what = inline(`${type} ${data.accountId} ${data.externalId ?? ''}`.trim())
    for (let attempts = 0; ; attempts++) {
      const fault = await attempt(url, id, body)
      if (fault === undefined) return output.note(`delivered      ${what}`)
      const wait = retriesMs[attempts]
      if (wait === undefined) return output.note(`not delivered  ${what}: ${fault}; given up`)
      output.note(`not delivered  ${what}: ${fault}; again in ${wait / 1000} s`)
      await sleep(wait, undefined, { signal })
    }
  }
  const ofChange = (accountId: string, change: Change): LocalEvent => ({
    type: `${change.entityType}.${change.operation}`,
    key: `${change.sequence} ${change.detectedAt}`,
    at: Date.parse(change.detectedAt),
    data: { accountId, ...change },
  })
  return {
    /** Returns when all were delivered or given up. Those of one record are delivered one after the other. */
    async changes(accountId, changes) {
      const records = Map.groupBy(changes, ({ entityType, externalId }) => `${entityType} ${externalId}`).values()
      const work = async () => {
        for (const record of records) for (const change of record) await deliver(ofChange(accountId, change))
      }
      await Promise.all(Array.from({ length: atOnce }, work))
    },
    lost: (accountId, reason) => {
      const at = Date.now()
      return deliver({ type: 'changes.lost', key: `lost ${at}`, at, data: { accountId, reason } })
    },
  }
}
