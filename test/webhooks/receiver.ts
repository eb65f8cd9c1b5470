// A receiver of webhooks that verifies each one with the library of Standard Webhooks.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { AnyRecord } from '../../src/conformance/subject.ts'

export interface Received {
  id: string
  body: string
  event: { type: string; timestamp: string; data: AnyRecord }
  headers: IncomingHttpHeaders
}
export interface Receiver {
  url: string
  received: Received[]
  /** Requests whose signature is wrong. */
  forged: number
  secrets: string[] // any of them must verify
  respond(received: Received, response: ServerResponse): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const headers = request.headers as Record<string, string>
      const isOurs = receiver.secrets.some((secret) => {
        try {
          new Webhook(secret).verify(body, headers)
          return true
        } catch {
          return false
        }
      })
      if (!isOurs) {
        receiver.forged++
        response.writeHead(401).end()
        return
      }
      const one = { id: headers['webhook-id'] as string, body, event: JSON.parse(body), headers: request.headers }
      received.push(one)
      receiver.respond(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    forged: 0,
    secrets: [],
    respond: (_, response) => void response.writeHead(204).end(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
