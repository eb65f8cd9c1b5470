// A store with its own host name and https certificate in front of the simulated WooCommerce.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'

const name = 'corner-shop.test'

export interface HttpsShop {
  address: string
  credentials: Record<string, string>
  /** Environment that lets a service resolve the name, trust the certificate, and call a private address. */
  environment: Record<string, string>
  close(): Promise<void>
}

export async function openHttpsShop(): Promise<HttpsShop> {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-shop-'))
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const options = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name}`,
  ]
  execFileSync('openssl', [...options, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' })

  const sandbox = await createSandbox({
    simulators: { woocommerce: simulators.woocommerce as CreateSimulator },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
  const behind = new URL(sandbox.origin('woocommerce') as string)
  const server = createServer(
    { key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
    (incoming, response) => {
      const passed = request(
        {
          host: behind.hostname,
          port: behind.port,
          method: incoming.method,
          path: behind.pathname + incoming.url,
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `${name}:${(server.address() as AddressInfo).port}`
  return {
    address,
    credentials: sandbox.simulator('woocommerce').tenants[0]?.credentials as Record<string, string>,
    environment: {
      ALLOWED_HOSTS: address,
      NODE_EXTRA_CA_CERTS: certificateFile,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'local-name.ts')}`,
      LOCAL_NAME: name,
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
