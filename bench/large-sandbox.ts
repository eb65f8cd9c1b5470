// A simulated Square with any number of customers, in a separate process. Each page is created on request from
// simulated customers with new ids, so that a million records need no memory.
import { simulators } from '../src/platforms/simulators.ts'
import { accountsOf } from '../src/sandbox/control.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import type { CreateSimulator, WireRequest, WireResponse } from '../src/sandbox/simulator.ts'

const count = Number(process.env.LARGE_COUNT)
const createSquare = simulators.square as CreateSimulator

type NativeCustomer = { id: string; created_at: string; email_address?: string }

const withManyCustomers: CreateSimulator = (options) => {
  const real = createSquare(options)
  let samples: NativeCustomer[] = []

  async function list(request: WireRequest): Promise<WireResponse> {
    if (samples.length === 0) {
      const query = new URLSearchParams({ limit: '100', sort_field: 'CREATED_AT', sort_order: 'ASC' })
      samples = ((await real.handle({ ...request, query })).body as { customers: NativeCustomer[] }).customers
    }
    const from = Number(request.query.get('cursor') ?? 0)
    const to = Math.min(count, from + Number(request.query.get('limit') ?? 100))
    const customers = Array.from({ length: to - from }, (_, index) => {
      const number = from + index
      const sample = samples[number % samples.length] as NativeCustomer
      return {
        ...sample,
        id: `LARGE${String(number).padStart(9, '0')}`,
        created_at: new Date(options.seededAt + number).toISOString(),
      }
    })
    return { status: 200, body: { customers, cursor: to < count ? String(to) : undefined } }
  }
  return {
    ...real,
    handle: (request) =>
      request.method === 'GET' && request.path === '/v2/customers' && real.tenantOf(request)
        ? list(request)
        : real.handle(request),
  }
}

const sandbox = await createSandbox({
  simulators: { square: withManyCustomers },
  size: 'full',
  strict: false,
  paceScale: Number(process.env.PACE_SCALE),
})
process.send?.({ listening: sandbox.url, accounts: accountsOf(sandbox) })
process.on('disconnect', () => process.exit(0))
