// The callers of the overload benchmark, in a separate process: many keep-alive connections, requests at a fixed rate
// regardless of responses.
import { connect, type Socket } from 'node:net'

export interface Burst {
  rate: number // requests per second; 0: a closed loop over `connections`
  seconds: number
  connections: number
}
export interface Outcome {
  sent: number
  accepted: number
  shed: number
  failed: Record<string, number> // by status; 0: no response
  unsent: number // no connection was free: requests queued at the caller
  p50Ms: number
  p99Ms: number
  shedP99Ms: number
  perSecond: number
  callerCores: number // CPU time of this process, per second
}
interface Line {
  socket: Socket
  began: number
  buffered: Buffer
  done?: ((status: number) => void) | undefined
}
const lines: Line[] = []
const free: Line[] = []
let request = ''
let target: { host: string; port: number }

process.on(
  'message',
  async (message: { open?: { url: string; path: string; key: string; connections: number }; burst?: Burst }) => {
    if (message.open) {
      const { url, path, key, connections } = message.open
      const { hostname, port } = new URL(url)
      target = { host: hostname, port: Number(port) }
      request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\n\r\n`
      for (let opened = 0; opened < connections; opened += 100)
        await Promise.all(Array.from({ length: Math.min(100, connections - opened) }, open))
      process.send?.({ opened: lines.length })
    }
    if (message.burst) process.send?.({ outcome: await run(message.burst) })
  },
)

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    // A connection without any request is closed after a while; one with a request stays open.
    const socket = connect({ ...target, noDelay: true }, () =>
      socket.write('GET /healthz HTTP/1.1\r\nhost: bench\r\n\r\n'),
    )
    const line: Line = { socket, began: 0, buffered: Buffer.alloc(0) }
    socket.on('data', (chunk) => read(line, chunk))
    line.done = () => resolve()
    socket.on('error', (error) => (line.began === 0 ? reject(error) : undefined))
    socket.on('close', () => {
      lines.splice(lines.indexOf(line), 1)
      if (free.includes(line)) free.splice(free.indexOf(line), 1)
      line.done?.(0)
    })
    lines.push(line)
  })
}

function read(line: Line, chunk: Buffer): void {
  line.buffered = line.buffered.length === 0 ? chunk : Buffer.concat([line.buffered, chunk])
  const end = line.buffered.indexOf('\r\n\r\n')
  if (end < 0) return
  const head = line.buffered.toString('latin1', 0, end)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (line.buffered.length < end + 4 + length) return
  line.buffered = Buffer.alloc(0)
  free.push(line)
  const { done } = line
  line.done = undefined
  done?.(Number(head.slice(9, 12)))
}

function coresSince(used: NodeJS.CpuUsage, began: number): number {
  const { user, system } = process.cpuUsage(used)
  return (user + system) / 1000 / (performance.now() - began)
}

async function run({ rate, seconds, connections }: Burst): Promise<Outcome> {
  const accepted: number[] = []
  const refused: number[] = []
  let sent = 0
  const failed: Record<string, number> = {}
  let unsent = 0
  let open = 0
  const began = performance.now()
  const used = process.cpuUsage()
  const ended = () => performance.now() - began >= seconds * 1000
  await new Promise<void>((resolve) => {
    function send(): void {
      const line = free.shift()
      if (!line) {
        unsent++
        return
      }
      const at = performance.now()
      line.began = at
      sent++
      open++
      line.done = (status) => {
        open--
        if (status === 503) refused.push(performance.now() - at)
        else if (status === 200) accepted.push(performance.now() - at)
        else failed[status] = (failed[status] ?? 0) + 1
        if (rate === 0 && !ended()) send()
        if (ended() && open === 0) resolve()
      }
      line.socket.write(request)
    }
    if (rate === 0) {
      for (let index = 0; index < connections; index++) send()
      return
    }
    const tick = () => {
      const due = Math.min(seconds, (performance.now() - began) / 1000) * rate
      while (sent + unsent < due) send()
      if (!ended()) setTimeout(tick, 1)
      else if (open === 0) resolve()
    }
    tick()
  })
  const at = (times: number[], share: number) =>
    times.sort((left, right) => left - right)[Math.floor(times.length * share)] ?? 0
  return {
    sent,
    accepted: accepted.length,
    shed: refused.length,
    failed,
    unsent,
    p50Ms: at(accepted, 0.5),
    p99Ms: at(accepted, 0.99),
    shedP99Ms: at(refused, 0.99),
    perSecond: accepted.length / ((performance.now() - began) / 1000),
    callerCores: coresSince(used, began),
  }
}
