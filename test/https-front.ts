// Answers https for some host names, with a certificate of its own, in front of a simulator.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenHere } from './listen.ts'

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
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const subject = [
    '-subj',
    `/CN=${names[0]}`,
    '-addext',
    `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`,
  ]
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, '-days', '2', ...subject, '-keyout', keyFile, '-out', certificateFile],
    { stdio: 'ignore' },
  )
  const server = createServer(
    { key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
    (incoming, response) => {
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
    },
  )
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
