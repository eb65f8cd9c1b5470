// Answers https for some host names, with a certificate of its own, in front of a simulator.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenHere } from './listen.ts'
import { selfSigned } from './self-signed.ts'

export interface HttpsFront {
  port: number
  certificateFile: string
  close(): void
}

/** `answer` returns true for a request that it has answered itself. */
export async function openHttpsFront(
  names: readonly string[],
  behind: URL,
  answer: (incoming: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<HttpsFront> {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-front-'))
  const certificateFile = join(folder, 'certificate.pem')
  const { key, certificate } = selfSigned(names)
  writeFileSync(certificateFile, certificate)
  const server = createServer({ key, cert: certificate }, (incoming, response) => {
    if (answer(incoming, response)) return
    const passed = request(
      {
        host: behind.hostname,
        port: behind.port,
        method: incoming.method,
        path: behind.pathname.replace(/\/$/, '') + incoming.url,
        headers: incoming.headers,
      },
      (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers)
        upstream.pipe(response)
      },
    )
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  return {
    port: await listenHere(server),
    certificateFile,
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
