// HTTP/1.1 by hand, over connections that stay open: other clients would refuse to send what is sent here.
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}
/** What comes back when bytes are sent: as many answers as came before the end was reached. */
export interface Exchange {
  answers: Answer[]
  ended: 'answered' | 'closed' | 'silent'
}
export interface Sending {
  /** Parts, with a pause of so many milliseconds between them. */
  parts: readonly Buffer[]
  pauseMs?: number
  answers: number
  timeoutMs: number
  head?: boolean // the answer has no body, whatever its headers say
  fresh?: boolean // a connection of its own
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
      const place = idle.indexOf(socket)
      if (place >= 0) idle.splice(place, 1)
    })
    socket.on('error', () => {}) // told by 'close'
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('close', () => reject(new Error('the service does not take a connection')))
    })
    return socket
  }
  return {
    async send(sending) {
      const socket = (sending.fresh ? undefined : idle.pop()) ?? (await open())
      const { written, ...exchange } = await converse(socket, sending)
      const reusable =
        exchange.ended === 'answered' &&
        written &&
        !sending.fresh &&
        !socket.destroyed &&
        exchange.answers.every(({ headers }) => headers.connection !== 'close')
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
  { parts, pauseMs = 0, answers: wanted, timeoutMs, head = false, leave = false }: Sending,
): Promise<Exchange & { written: boolean }> {
  return new Promise((resolve) => {
    const answers: Answer[] = []
    let received: Buffer = Buffer.alloc(0)
    let written = false // an answer may come before the request is out
    const finish = (ended: Exchange['ended']) => {
      clearTimeout(timer)
      clearTimeout(next)
      socket.off('data', read)
      socket.off('close', closed)
      resolve({ answers, ended, written })
    }
    const closed = () => {
      const last = readAnswer(received, head, true)
      if (last) answers.push(last.answer)
      finish(answers.length >= wanted ? 'answered' : 'closed')
    }
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      for (let found = readAnswer(received, head, false); found; found = readAnswer(received, head, false)) {
        received = received.subarray(found.length)
        if (found.answer.status >= 200) answers.push(found.answer)
        if (received.length === 0) break
      }
      if (answers.length >= wanted) finish('answered')
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
/** The first complete answer; `closed`: what is there counts as one that ends with the connection. */
function readAnswer(bytes: Buffer, head: boolean, closed: boolean): { answer: Answer; length: number } | undefined {
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
    return { answer: { status, headers, text: '' }, length: start }
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, start, { status, headers })
  const size =
    headers['content-length'] === undefined
      ? closed
        ? bytes.length - start
        : Number.POSITIVE_INFINITY
      : Number(headers['content-length'])
  if (bytes.length < start + size) return undefined
  return { answer: { status, headers, text: bytes.toString('utf8', start, start + size) }, length: start + size }
}

function readChunks(
  bytes: Buffer,
  start: number,
  answer: Omit<Answer, 'text'>,
): { answer: Answer; length: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return { answer: { ...answer, text: Buffer.concat(pieces).toString('utf8') }, length: end }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = end
  }
}
