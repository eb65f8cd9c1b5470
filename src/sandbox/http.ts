// Reads requests, checks their fields and rejects them from anywhere inside a handler.
import type { WireRequest, WireResponse } from './simulator.ts'

/** Thrown inside a handler. The router sends its response. */
export class Refusal extends Error {
  readonly response: WireResponse
  constructor(response: WireResponse) {
    super(`refused with ${response.status}`)
    this.response = response
  }
}

/** The JSON body, or undefined if it is missing or does not parse. Each platform has its own error for that. */
export function readJson(request: WireRequest): unknown {
  try {
    return JSON.parse(request.body)
  } catch {
    return undefined
  }
}

export type Fields = Record<string, unknown>
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Turns a function that returns an error response into one that throws it as a refusal. */
export const refusing =
  <Details extends unknown[]>(failure: (...details: Details) => WireResponse) =>
  (...details: Details): never => {
    throw new Refusal(failure(...details))
  }

/** The header of a throttled response, or no header if the platform sends no number. */
export const retryAfter = (seconds: number | undefined): Pick<WireResponse, 'headers'> =>
  seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }

export const readForm = (request: WireRequest): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(request.body))

/** The token in `Authorization: Bearer …`, or in another scheme such as Zoho's. */
export function readBearer(request: WireRequest, scheme = 'Bearer'): string | undefined {
  const [given, token] = (request.headers.authorization ?? '').split(/\s+/, 2)
  return given?.toLowerCase() === scheme.toLowerCase() && token ? token : undefined
}

export function readBasic(request: WireRequest): { user: string; password: string } | undefined {
  const encoded = readBearer(request, 'Basic')
  if (!encoded) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) }
}
