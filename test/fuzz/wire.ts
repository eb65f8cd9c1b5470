// A minimal HTTP/1.1 client with keep-alive connections, because other clients would not send invalid requests.
import { connect, type Socket } from 'node:net'

export interface WireResponse {
  status: number
  headers: Record<string, string>
  text: string
}
/** The result of sending bytes: all responses until the end. */
export interface Exchange {
  responses: WireResponse[]
  ended: 'complete' | 'closed' | 'silent'
}
export interface Sending {
  /** Parts, with a pause in milliseconds between them. */
  parts: readonly Buffer[]
  pauseMs?: number
  responses: number
  timeoutMs: number
  head?: boolean // the response has no body, despite its headers
  fresh?: boolean // a separate connection
  /** Closes the connection as soon as everything is written. */
  leave?: boolean
}
export interface Wire {
  send(sending: Sending): Promise<Exchange>
  close(): void
}

export function createWire(port: number, host = '127.0.0.1'): Wire {
  const idle: Socket[] = []
  const all = new Set<Socket>()
  async function open(): Promise<Socket> {
    const socket = connect({ port, host, noDelay: true })
    all.add(socket)
    socket.on('close', () => {
      all.delete(socket)
      const index = idle.indexOf(socket)
      if (index >= 0) idle.splice(index, 1)
    })
    socket.on('error', () => {}) // reported by 'close'
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('close', () => reject(new Error('the service does not accept a connection')))
    })
    return socket
  }
  return {
    async send(sending) {
      const socket = (sending.fresh ? undefined : idle.pop()) ?? (await open())
      const { written, ...exchange } = await converse(socket, sending)
      const reusable =
        exchange.ended === 'complete' &&
        written &&
        !sending.fresh &&
        !socket.destroyed &&
        exchange.responses.every(({ headers }) => headers.connection !== 'close')
      if (reusable) idle.push(socket)
      else socket.destroy()
      return exchange
    },
    close() {
      for (const socket of all) socket.destroy()
    },
  }
}

function converse(
  socket: Socket,
  { parts, pauseMs = 0, responses: expected, timeoutMs, head = false, leave = false }: Sending,
): Promise<Exchange & { written: boolean }> {
  return new Promise((resolve) => {
    const responses: WireResponse[] = []
    let received: Buffer = Buffer.alloc(0)
    let written = false // a response may arrive before the request is sent
    const finish = (ended: Exchange['ended']) => {
      clearTimeout(timer)
      clearTimeout(next)
      socket.off('data', read)
      socket.off('close', closed)
      resolve({ responses, ended, written })
    }
    const closed = () => {
      const last = readResponse(received, head, true)
      if (last) responses.push(last.response)
      finish(responses.length >= expected ? 'complete' : 'closed')
    }
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      for (let found = readResponse(received, head, false); found; found = readResponse(received, head, false)) {
        received = received.subarray(found.length)
        if (found.response.status >= 200) responses.push(found.response)
        if (received.length === 0) break
      }
      if (responses.length >= expected) finish('complete')
    }
    const timer = setTimeout(() => finish('silent'), timeoutMs)
    socket.on('data', read)
    socket.on('close', closed)
    let next: NodeJS.Timeout | undefined
    const write = (index: number) => {
      if (socket.destroyed) return
      const part = parts[index]
      if (part) socket.write(part)
      if (index + 1 < parts.length) next = setTimeout(write, pauseMs, index + 1)
      else {
        written = true
        if (leave) socket.destroySoon()
      }
    }
    write(0)
  })
}

const headEnd = Buffer.from('\r\n\r\n')
/** The first complete response; `closed`: the connection has ended, and the rest is its body. */
function readResponse(
  bytes: Buffer,
  head: boolean,
  closed: boolean,
): { response: WireResponse; length: number } | undefined {
  const end = bytes.indexOf(headEnd)
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1] ?? 0)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  const start = end + headEnd.length
  if (head || status < 200 || status === 204 || status === 304)
    return { response: { status, headers, text: '' }, length: start }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start, { status, headers })
  const size =
    headers['content-length'] === undefined
      ? closed
        ? bytes.length - start
        : Number.POSITIVE_INFINITY
      : Number(headers['content-length'])
  if (bytes.length < start + size) return undefined
  return { response: { status, headers, text: bytes.toString('utf8', start, start + size) }, length: start + size }
}

function readChunks(
  bytes: Buffer,
  start: number,
  response: Omit<WireResponse, 'text'>,
): { response: WireResponse; length: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return { response: { ...response, text: Buffer.concat(pieces).toString('utf8') }, length: end }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = end
  }
}
