// Writes a response to the socket, complete or broken as the fault requires.
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fault, WireResponse } from './simulator.ts'

export const defaultDelayMs = 1000
const drips = 8

/** Sends the response of a call that was processed. A stall also ends when its fault is cleared. */
export async function deliver(
  response: ServerResponse,
  answer: WireResponse,
  fault?: Fault,
  cleared?: Promise<void>,
): Promise<void> {
  const body = bodyOf(answer)
  const delayMs = fault?.delayMs ?? defaultDelayMs
  if (fault?.kind === 'stall') {
    await Promise.race([stillThereAfter(response, delayMs), cleared])
    if (response.destroyed) return
  }
  if (fault?.kind === 'malformed') {
    const broken = Buffer.concat([body.subarray(0, Math.ceil(body.length / 2)), Buffer.from('{"')])
    response.writeHead(200, { ...headersOf(answer, broken), 'content-type': 'application/json' }).end(broken)
    return
  }
  response.writeHead(answer.status, headersOf(answer, body))
  if (fault?.kind === 'truncated') {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy())
    return
  }
  if (fault?.kind === 'slow_body') return drip(response, body, delayMs)
  response.end(body)
}

/** Closes the connection without a response, with a reset if the system allows it. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

/** What something between the service and the platform would send. */
export const foreign = ({ status = 200, body = {} }: Fault): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
export const htmlPage: WireResponse = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n',
}

async function drip(response: ServerResponse, body: Buffer, delayMs: number): Promise<void> {
  response.flushHeaders()
  const began = performance.now()
  const size = body.length / drips // not a whole number: rounded down below, so that the last part is never empty
  for (let number = 1; number <= drips; number += 1) {
    // Wait before each part: with a content-length the client is done when the last part arrives. Delays are measured
    // from the start, so that timers that fire early do not add up.
    if (!(await stillThereAfter(response, (number * delayMs) / drips, began))) return
    const part = body.subarray(Math.floor((number - 1) * size), Math.floor(number * size))
    if (part.length > 0) response.write(part)
  }
  response.end()
}

async function stillThereAfter(response: ServerResponse, delayMs: number, began = performance.now()): Promise<boolean> {
  const left = () => began + delayMs - performance.now()
  while (left() > 0) await wait(Math.ceil(left()), undefined, { ref: false })
  return !response.destroyed
}

const isPlain = (body: unknown): body is string | undefined => body === undefined || typeof body === 'string'
const bodyOf = ({ body }: WireResponse): Buffer => Buffer.from(isPlain(body) ? (body ?? '') : JSON.stringify(body))

function headersOf({ status, headers, body }: WireResponse, bytes: Buffer): Record<string, string | number> {
  const length: Record<string, number> = status === 204 || status === 304 ? {} : { 'content-length': bytes.length }
  return { ...(!isPlain(body) && { 'content-type': 'application/json' }), ...headers, ...length }
}
