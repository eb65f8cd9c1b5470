// How an account behaves when its platform misbehaves. One entity is enough, because all share the outbound layers.
import { expect } from 'vitest'
import type { Choice } from '../../test/case-choice.ts'
import type { Rate } from '../contract/connector.ts'
import type { Vertical } from '../contract/entity.ts'
import type { FaultKind } from '../sandbox/simulator.ts'
import type { Case } from './case.ts'
import { connectCase } from './connect-case.ts'

interface AccountCase {
  platform: string
  vertical: Vertical
  test: Case
}

const faults: { fault: FaultKind; always: boolean; status: number; code?: string; what: string }[] = [
  { fault: 'throttle', always: false, status: 200, what: "a call waits after the platform's 429" },
  { fault: 'throttle_silent', always: false, status: 200, what: 'a call waits after a 429 without Retry-After' },
  { fault: 'error_before', always: false, status: 200, what: 'a read is retried after a 500' },
  { fault: 'reset_before', always: false, status: 200, what: 'a read is retried after a lost connection' },
  { fault: 'malformed', always: false, status: 200, what: 'a read is retried after an unreadable response' },
  { fault: 'truncated', always: false, status: 200, what: 'a read is retried after a truncated response' },
  {
    fault: 'error_before',
    always: true,
    status: 502,
    code: 'downstream_error',
    what: 'a platform that keeps failing is 502',
  },
  { fault: 'html', always: true, status: 502, code: 'downstream_error', what: 'an HTML page is 502' },
  { fault: 'malformed', always: true, status: 502, code: 'downstream_error', what: 'JSON that does not parse is 502' },
  { fault: 'forbidden', always: true, status: 403, code: 'forbidden', what: "the platform's own 403 is 403" },
]

const noSecret: Case = {
  name: 'no secret is in any log line or response',
  async run({ harness }) {
    const output = harness.output()
    expect(output.length).toBeGreaterThan(1000)
    for (const secret of harness.secrets) expect(output.includes(secret), 'a secret was logged or returned').toBe(false)
  },
}

/** Which cases `npm test` takes: see test/case-choice.ts. */
export const accountChoice: Choice<AccountCase> = {
  oneIn: 4,
  group: ({ platform, vertical }) => `${platform} ${vertical}`,
  always: ({ test }) => test === noSecret || test === connectCase,
}

export const accountCases: Case[] = [
  ...faults.map(
    ({ fault, always, status, code, what }): Case => ({
      name: what,
      async run({ harness, list }) {
        harness.sandbox.clearCalls(harness.connector.id)
        harness.sandbox.fault(harness.connector.id, { kind: fault, ...(always ? {} : { times: 1 }) })
        const reply = await list('?pageSize=2')
        const met = harness.sandbox.calls(harness.connector.id).some((call) => call.fault === fault)
        harness.sandbox.clearFaults(harness.connector.id)
        expect(met, 'the fault was injected').toBe(true)
        expect([reply.status, reply.body.code], JSON.stringify(reply.body)).toEqual([status, code])
        if (code) expect(reply.body.downstream?.platform).toBe(harness.connector.id)
      },
    }),
  ),
  {
    name: 'a platform that does not respond in time is 504',
    async run({ harness, list }) {
      harness.sandbox.fault(harness.connector.id, { kind: 'stall', delayMs: 1500 })
      const reply = await list('?pageSize=2')
      harness.sandbox.clearFaults(harness.connector.id)
      expect([reply.status, reply.body.code]).toEqual([504, 'downstream_timeout'])
    },
  },
  {
    name: 'no call exceeds the limit of the platform',
    async run({ harness, list }) {
      // This many calls need this many windows. Delays on a busy machine only add time, so the bound is exact. What
      // happens inside a window is tested with a fake clock.
      const { sandbox, connector, paceScale } = harness
      const { limit } = sandbox.simulator(connector.id)
      const tightest = limit.reduce((one, other) => (other.requests < one.requests ? other : one))
      const windowMs = ({ seconds }: Rate) => seconds * 1000 * paceScale
      sandbox.clearCalls(connector.id)
      const began = performance.now()
      const count = Math.max(tightest.requests + 1, 21)
      const replies = await Promise.all(Array.from({ length: count }, () => list('?pageSize=1')))
      const elapsed = performance.now() - began
      expect(replies.filter(({ status }) => status !== 200)).toEqual([])
      const calls = sandbox.calls(connector.id).filter(({ vertical }) => vertical !== undefined).length
      expect(calls).toBeGreaterThanOrEqual(count)
      for (const rate of limit)
        expect(elapsed, `${calls} calls, ${rate.requests} per ${rate.seconds} s`).toBeGreaterThanOrEqual(
          (Math.ceil(calls / rate.requests) - 1) * windowMs(rate),
        )
    },
  },
  {
    name: 'an expired access token is renewed once for any number of concurrent calls',
    async run({ harness, tenant, path }) {
      const renewable =
        harness.connector.auth.some(({ kind }) => kind === 'client_credentials') ||
        tenant.credentials.refreshToken !== undefined
      tenant.expireTokens()
      harness.sandbox.clearCalls(harness.connector.id)
      const replies = await Promise.all(
        Array.from({ length: 5 }, () => harness.call('GET', `${path}?pageSize=2`, undefined, { prefer: 'wait=60' })),
      )
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const renewals = harness.sandbox.calls(harness.connector.id).filter(({ vertical }) => vertical === undefined)
      expect(renewals.map(({ status }) => status)).toEqual(renewable ? [200] : [])
    },
  },
  connectCase,
  noSecret,
  {
    name: 'withdrawn consent is reconnect_required at once, and the platform is not called again',
    async run({ harness, list, tenant }) {
      tenant.revokeTokens()
      const first = await list()
      expect([first.status, first.body.code]).toEqual([502, 'reconnect_required'])
      harness.sandbox.clearCalls(harness.connector.id)
      const second = await list()
      expect([second.status, second.body.code]).toEqual([502, 'reconnect_required'])
      expect(harness.sandbox.calls(harness.connector.id)).toEqual([])
    },
  },
]
