// Every platform the service knows. The rest of the service learns of them here only.
import type { Connector } from '../contract/connector.ts'
import { square } from './square/connector.ts'

export const connectors: Readonly<Record<string, Connector>> = { square }
