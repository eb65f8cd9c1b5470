// A simulator for every platform of the registry, under the same id.
import type { CreateSimulator } from '../sandbox/simulator.ts'
import { createQuickbooksOnlineSimulator } from './quickbooks-online/simulator.ts'
import { createSquareSimulator } from './square/simulator.ts'
import { createWoocommerceSimulator } from './woocommerce/simulator.ts'

export const simulators: Readonly<Record<string, CreateSimulator>> = {
  square: createSquareSimulator,
  woocommerce: createWoocommerceSimulator,
  'quickbooks-online': createQuickbooksOnlineSimulator,
}
