// A receiver of webhooks that verifies each one with the library of Standard Webhooks.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import { listenHere } from '../listen.ts'

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
  const receiver: Receiver = {
    url: `http://127.0.0.1:${await listenHere(server)}/hooks`,
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
