// The call object of the engine, for tests of adapters: it responds with what the test says, and records what was sent.
// It has no journal, so a step never runs again and `recovery` and `undo` are only recorded.
import type { AccountView, NativeRequest, NativeResponse, Step, WriteCall } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'

type Respond = (request: NativeRequest) => unknown
/** By method and path. A request that is not listed fails the test. */
export type Responses = Readonly<Record<string, Respond>>
export interface FakeCall {
  call: WriteCall
  sent: NativeRequest[]
  steps: Step<unknown>[]
  /** The body of the last request with this method. */
  // biome-ignore lint/suspicious/noExplicitAny: a body has any shape; the test knows which
  body(method: NativeRequest['method']): any
}

/** A response that is more than a body. */
class Whole {
  readonly response: NativeResponse
  constructor(response: NativeResponse) {
    this.response = response
  }
}
export const whole = (body: unknown, response: Partial<NativeResponse> = {}): unknown =>
  new Whole({ status: 200, headers: {}, ...response, body })

/**
 * What a test returns is the body of a 200, null that of a 204 without a body. A `NativeFailure` is thrown. `under` is
 * the part of every path that the keys of `Responses` leave out.
 */
export const fakeCallFor =
  (account: Partial<AccountView> = {}, under = '') =>
  (responses: Responses | Respond = {}, settings = account.settings ?? {}): FakeCall => {
    const sent: NativeRequest[] = []
    const steps: Step<unknown>[] = []
    const facts = new Map<string, unknown>()
    const find = ({ method, path }: NativeRequest): Respond | undefined =>
      typeof responses === 'function' ? responses : responses[`${method} ${path.replace(under, '')}`]
    async function read(request: NativeRequest): Promise<NativeResponse> {
      sent.push(request)
      const respond = find(request)
      if (!respond) throw new Error(`unexpected ${request.method} ${request.path}`)
      const given = await respond(request)
      if (given instanceof NativeFailure) throw given
      const { status, headers, body } =
        given instanceof Whole ? given.response : { status: given === null ? 204 : 200, headers: {}, body: given }
      return { status, headers, body: structuredClone(body) }
    }
    const call: WriteCall = {
      account: { id: 'a', vertical: 'retail_pos', ...account, settings },
      now: '2026-11-10T12:00:00.000Z',
      reference: 'reference0123456',
      key: (step) => `key-${step}`,
      read,
      async cached<T>(name: string, load: () => Promise<T>): Promise<T> {
        if (!facts.has(name)) facts.set(name, await load())
        return facts.get(name) as T
      },
      async write(_, step) {
        steps.push(step as Step<unknown>)
        return step.read(await read(step.request))
      },
    }
    return { call, sent, steps, body: (method) => sent.findLast((request) => request.method === method)?.body }
  }
