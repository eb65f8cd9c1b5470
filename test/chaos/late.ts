// Calls that take effect after their response was lost, on the real clock: a platform works on after its gateway has
// given up. An absence counts only when nothing can still happen.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { Violation } from './checker.ts'
import { type Place, runScenario } from './scenario.ts'

export interface LateOptions {
  /**
   * The longest that a call can be under way: an effect up to this long after the call, plus the lag, must be found.
   */
  callTimeoutMs: number
  delaysMs: readonly number[] // at most one per place
  instances?: number
  databaseUrl?: string | undefined
  script?: string
  environment?: Record<string, string>
}
/** What platforms show later than this is not found; it is the default lag of a step. */
const lagMs = 2000
/**
 * Inside the time that the service waits for an effect, by more than a busy machine delays a timer of the platform; and
 * after the time that the call itself can take.
 */
export const justInside = (callTimeoutMs: number) => callTimeoutMs + lagMs / 8

/** Each has a create that is recovered by a lookup. */
const places: readonly (Place & { path: string })[] = [
  { platform: 'clover', vertical: 'restaurant', entityType: 'customer', path: '/customers' },
  { platform: 'loyverse', vertical: 'retail_pos', entityType: 'customer', path: '/customers' },
  { platform: 'woocommerce', vertical: 'retail_pos', entityType: 'customer', path: '/customers' },
]
/** The referenced customer has a key that is also the id of another customer. */
const referenced: Place = { platform: 'bigcommerce', vertical: 'retail_pos', entityType: 'customer' }
const referring: Place = { ...referenced, entityType: 'order' }
const person = (externalId: string): AnyRecord => ({
  externalId,
  name: 'Katherine Johnson',
  firstName: 'Katherine',
  lastName: 'Johnson',
  email: 'katherine@example.com',
})

export async function runLate({
  callTimeoutMs,
  delaysMs,
  instances = 1,
  ...options
}: LateOptions): Promise<Violation[]> {
  const used = places.slice(0, delaysMs.length)
  return runScenario(
    {
      ...options,
      environment: { ...options.environment, CALL_TIMEOUT_MS: String(callTimeoutMs) },
      count: instances,
      paceScale: 1,
      places: [...used, referenced, referring],
    },
    async (scenario) => {
      const { settle, inject, met } = scenario
      const last = instances - 1
      const late = (path: string, delayMs: number) =>
        ({ kind: 'late', method: 'POST', path, times: 1, delayMs }) as const
      const customers = used.map(async (place, n) => {
        const delayMs = delaysMs[n] as number
        await inject(place.platform, late(place.path, delayMs))
        const reply = settle(n % instances, 'POST', place, person(`LATE-${n}`))
        await met(place.platform)
        await sleep(delayMs + 500) // the effect has happened, whatever the service has done meanwhile
        await scenario.expectOne(place, await reply)
      })
      const reference = async () => {
        const [stranger] = await scenario.sandbox.ids('bigcommerce', 'retail_pos', 'customer')
        const delayMs = Math.max(...delaysMs)
        await inject('bigcommerce', late('/customers', delayMs))
        const customer = settle(0, 'POST', referenced, person(stranger as string))
        await met('bigcommerce')
        const order: AnyRecord = {
          externalId: 'LATE-ORDER',
          customerExternalId: stranger,
          lineItems: [{ name: 'Gift box', quantity: 1, unitPrice: 12 }],
        }
        const written = await settle(last, 'POST', referring, order)
        const id = String((await customer).body.reference?.id)
        if (written.body.data?.customerExternalId !== id)
          scenario.violation(
            'half-written',
            referring,
            `the order belongs to customer ${written.body.data?.customerExternalId}, and not to ${id}, which the key became`,
          )
        await sleep(delayMs)
        await scenario.expectOne(referenced, await customer)
        await scenario.expectOne(referring, written)
      }
      await Promise.all([...customers, reference()])
    },
  )
}
