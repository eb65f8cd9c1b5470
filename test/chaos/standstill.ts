// Writes of processes that stand still: one is stopped beyond its lease, one cannot reach the database. A third
// instance finishes the writes; then the two go on.
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { Violation } from './checker.ts'
import { type Place, runScenario } from './scenario.ts'

export interface StandstillOptions {
  databaseUrl: string // PostgreSQL: the instances share it
  script?: string
  environment?: Record<string, string>
}
const beforeSend: Place = { platform: 'woocommerce', vertical: 'retail_pos', entityType: 'product' }
const beforeUndo: Place = { platform: 'clover', vertical: 'restaurant', entityType: 'order' }
const beforeUpdate: Place = { platform: 'bigcommerce', vertical: 'retail_pos', entityType: 'customer' }
const separated: Place = { platform: 'loyverse', vertical: 'retail_pos', entityType: 'customer' }

/** How long a platform asks the account to wait: a write waits before its call while its process is stopped. */
const holdMs = 8000
/** Longer than a lease: the call must not be sent when the wait is over. */
const longHoldMs = 18_000
const [stopped, healthy, cut] = [0, 1, 2]

export const runStandstill = (options: StandstillOptions): Promise<Violation[]> =>
  runScenario(
    { ...options, count: 3, paceScale: 0.01, places: [beforeSend, beforeUndo, beforeUpdate, separated] },
    async (scenario) => {
      const { instances, call, settle, inject, met } = scenario
      const product: AnyRecord = { externalId: 'STILL-1', name: 'Harbor tea', price: 4.5 }
      const order: AnyRecord = {
        externalId: 'STILL-2',
        lineItems: [{ name: 'Soup of the day', quantity: 1, unitPrice: 6.5 }],
      }
      const named = (lastName: string): AnyRecord => ({
        externalId: 'STILL-3',
        name: `Grace ${lastName}`,
        firstName: 'Grace',
        lastName,
        email: 'grace@example.com',
      })
      const customer: AnyRecord = { externalId: 'STILL-4', name: 'Ada Lovelace' }
      const { body } = await settle(healthy, 'POST', beforeUpdate, named('Hopper'))
      const updated = String(body.reference?.id)

      await inject('woocommerce', { kind: 'throttle', method: 'POST', path: '/products', times: 1, delayMs: holdMs })
      await inject(
        'clover',
        // The platform's own refusal of a later step, and a wait before the undo of the first one.
        {
          kind: 'foreign_before',
          method: 'POST',
          path: 'bulk_line_items',
          times: 1,
          status: 400,
          body: { message: '400 Bad Request' },
        },
        { kind: 'throttle', method: 'DELETE', path: '/orders', times: 1, delayMs: holdMs },
      )
      await inject('bigcommerce', { kind: 'throttle', method: 'PUT', path: '/customers', times: 1, delayMs: holdMs })
      await inject('loyverse', { kind: 'throttle', method: 'POST', path: '/customers', times: 1, delayMs: longHoldMs })

      const waiting = [
        call(stopped, 'POST', beforeSend, product),
        call(stopped, 'POST', beforeUndo, order),
        call(stopped, 'PUT', beforeUpdate, named('Old'), updated),
        call(cut, 'POST', separated, customer),
      ]
      await Promise.all(['woocommerce', 'clover', 'bigcommerce', 'loyverse'].map(met))
      instances.pause(stopped)
      instances.database(cut)?.cut('silent')

      const [sent, undone, put, taken] = await Promise.all([
        settle(healthy, 'POST', beforeSend, product),
        settle(healthy, 'POST', beforeUndo, order),
        settle(healthy, 'PUT', beforeUpdate, named('New'), updated),
        settle(healthy, 'POST', separated, customer),
      ])
      instances.resume(stopped)
      instances.database(cut)?.mend()
      await Promise.all(waiting)

      await scenario.expectOne(beforeSend, sent)
      await scenario.expectOne(beforeUndo, undone)
      await scenario.expectOne(separated, taken)
      const lines = await call(healthy, 'GET', beforeUndo, undefined, String(undone.body.reference?.id))
      if (lines.body.data?.lineItems?.length !== 1)
        scenario.violation('half-written', beforeUndo, `it has the lines ${JSON.stringify(lines.body.data?.lineItems)}`)
      const read = await call(healthy, 'GET', beforeUpdate, undefined, updated)
      if (put.status === 200 && read.body.data?.lastName !== 'New')
        scenario.violation('lost', beforeUpdate, `the acknowledged update is gone: ${JSON.stringify(read.body.data)}`)
    },
  )
