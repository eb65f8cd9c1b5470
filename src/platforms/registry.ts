// Every platform the service speaks to. A new one is a line here and in simulators.ts.
import type { Connector } from '../contract/connector.ts'
import { quickbooksOnline } from './quickbooks-online/connector.ts'
import { square } from './square/connector.ts'
import { woocommerce } from './woocommerce/connector.ts'

const all: readonly Connector[] = [square, woocommerce, quickbooksOnline]

export const connectors: Readonly<Record<string, Connector>> = Object.fromEntries(all.map((connector) => [connector.id, connector]))
