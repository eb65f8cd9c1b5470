// A store with its own host name and https certificate in front of the simulated WooCommerce.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { openHttpsFront } from '../https-front.ts'

const name = 'corner-shop.test'

export interface HttpsShop {
  address: string
  credentials: Record<string, string>
  /** Environment that lets a service resolve the name, trust the certificate, and call a private address. */
  environment: Record<string, string>
  close(): Promise<void>
}

export async function openHttpsShop(): Promise<HttpsShop> {
  const sandbox = await createSandbox({
    simulators: { woocommerce: simulators.woocommerce as CreateSimulator },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
  const front = await openHttpsFront([name], new URL(sandbox.origin('woocommerce') as string))
  const address = `${name}:${front.port}`
  return {
    address,
    credentials: sandbox.simulator('woocommerce').tenants[0]?.credentials as Record<string, string>,
    environment: {
      ALLOWED_HOSTS: address,
      NODE_EXTRA_CA_CERTS: front.certificateFile,
      NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'local-name.ts'))}`,
      LOCAL_NAME: name,
    },
    async close() {
      front.close()
      await sandbox.close()
    },
  }
}
