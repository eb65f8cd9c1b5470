// Requests to any instance, repeated until one responds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instances } from '../instances.ts'
import type { Random } from '../random.ts'

export interface FrontReply {
  status: number // 0: no response
  // biome-ignore lint/suspicious/noExplicitAny: the checker reads responses of any type
  body: any
}
export interface FrontDoor {
  once(path: string, options?: { prefer?: string; timeoutMs?: number }): Promise<FrontReply>
  /** Until the response is not a failure that passes. */
  get(path: string): Promise<FrontReply>
  manage(method: string, path: string, body?: unknown): Promise<FrontReply>
  /** All records of a list, as JSON by id. */
  list(accountId: string, entityType: string): Promise<Map<string, Record<string, unknown>>>
}

/** 403: the platform refuses a call, which it does as a fault. */
export const passes = ({ status }: FrontReply): boolean =>
  status === 0 || status === 403 || status === 408 || status === 429 || status >= 500

/** `only`: the instance that all requests go to. */
export function createFrontDoor(instances: Instances, random: Random, only?: number): FrontDoor {
  async function call(path: string, init: RequestInit, timeoutMs: number): Promise<FrontReply> {
    try {
      const response = await fetch(`${instances.url(only ?? random.below(instances.count))}${path}`, {
        ...init,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch (error) {
      return { status: 0, body: { code: 'network', detail: String(error) } }
    }
  }
  async function until(send: () => Promise<FrontReply>): Promise<FrontReply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await send()
      if (!passes(reply)) return reply
      await sleep(Math.min(1000, 20 * 2 ** Math.min(attempt, 6)) * (0.5 + random.number()))
    }
  }
  const once: FrontDoor['once'] = (path, { prefer = 'wait=10', timeoutMs = 30_000 } = {}) =>
    call(`/unified/${path}`, { headers: { authorization: `Bearer ${instances.apiKey}`, prefer } }, timeoutMs)
  const get: FrontDoor['get'] = (path) => until(() => once(path))
  return {
    once,
    get,
    manage: (method, path, body) =>
      until(() =>
        call(
          `/manage/v1/workspaces/sandbox${path}`,
          {
            method,
            headers: {
              authorization: `Bearer ${instances.adminToken}`,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            body: body === undefined ? null : JSON.stringify(body),
          },
          30_000,
        ),
      ),
    async list(accountId, entityType) {
      for (;;) {
        const records = new Map<string, Record<string, unknown>>()
        for (let cursor = ''; ; ) {
          const { status, body } = await get(`${accountId}/${entityType}?pageSize=100${cursor}`)
          if (status !== 200) break // a position that expired: again from the start
          for (const record of body.data) records.set(record.externalId, record)
          if (!body.pagination.hasMore) return records
          cursor = `&cursor=${encodeURIComponent(body.pagination.cursor)}`
        }
      }
    },
  }
}
