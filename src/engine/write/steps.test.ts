import { describe, expect, it } from 'vitest'
import type { NativeRequest, Step } from '../../contract/connector.ts'
import { createSteps, type StepLog } from './steps.ts'

const request: NativeRequest = { method: 'POST', path: '/orders' }
const sent = { request: JSON.stringify(request), ageMs: 60_000 }
const done = (name: string, value: unknown) => ({ ...sent, name, done: true, value })
const doubtful = (name: string) => ({ ...sent, name, done: false })

/** The steps that a crash left behind, taken up again. */
async function resumed(...left: Awaited<ReturnType<StepLog['load']>>) {
  const calls: NativeRequest[] = []
  const steps = await createSteps({
    log: { load: async () => left, sent: async () => {}, done: async () => {}, forgotten: async () => {} },
    send: async (call) => {
      calls.push(call)
      return { status: 200, headers: {}, body: {} }
    },
    readCall: {
      account: { id: 'a', vertical: 'restaurant', settings: {} },
      now: '',
      read: () => Promise.reject(new Error('unused')),
      cached: (_, load) => load(),
    },
    identity: 'i',
    content: 'c',
    ending: { ended: false },
    resendUnknown: false,
    callTimeoutMs: 1000,
    now: Date.now,
    pause: async () => {},
    scale: 0.001,
  })
  return { steps, calls }
}
const order: Step<string> = {
  request,
  read: () => 'N1',
  recovery: 'repeat',
  undo: (id) => ({ method: 'DELETE', path: `/orders/${id}` }),
}

describe('a write that is taken up after a crash and fails before it comes to its steps', () => {
  it('has begun: what was written before the crash is still there', async () => {
    const { steps } = await resumed(done('order', 'N1'))
    expect([steps.begun(), steps.inDoubt()]).toEqual([true, false])
  })

  it('cannot be undone, and names what is there', async () => {
    const { steps, calls } = await resumed(done('before', ['X']), done('order', { id: 'N1' }), done('line', true))
    expect(await steps.undo()).toEqual({ undone: false, nativeId: 'N1' })
    expect(calls).toEqual([])
  })

  it('is in doubt about a later step, though the earlier one is settled', async () => {
    const { steps } = await resumed(done('order', 'N1'), doubtful('line'))
    await steps.call.write('order', order)
    expect([steps.begun(), steps.inDoubt()]).toEqual([true, true])
  })

  it('is undone as ever once all its steps were come to', async () => {
    const { steps, calls } = await resumed(done('order', 'N1'))
    await steps.call.write('order', order)
    expect(await steps.undo()).toEqual({ undone: true })
    expect(calls).toEqual([{ method: 'DELETE', path: '/orders/N1' }])
    expect(steps.begun()).toBe(false)
  })
})

it('a step that the platform neither answers readably nor shows is sent a few times, then left in doubt', async () => {
  const { steps, calls } = await resumed()
  const unreadable: Step<string> = {
    request,
    read: () => {
      throw new TypeError('another shape')
    },
    recovery: { find: async () => undefined, lagSeconds: 0 },
  }
  await expect(steps.call.write('order', unreadable)).rejects.toThrow('does not respond')
  expect(calls).toHaveLength(4)
  expect(steps.inDoubt()).toBe(true)
})
