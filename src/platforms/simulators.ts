// A simulator for every platform of the registry, with the same id.
import type { CreateSimulator } from '../sandbox/simulator.ts'
import { createBigcommerceSimulator } from './bigcommerce/simulator/simulator.ts'
import { createCloverSimulator } from './clover/simulator/simulator.ts'
import { createFreshbooksSimulator } from './freshbooks/simulator/simulator.ts'
import { createLightspeedKSimulator } from './lightspeed-k/simulator/simulator.ts'
import { createLightspeedXSimulator } from './lightspeed-x/simulator/simulator.ts'
import { createLoyverseSimulator } from './loyverse/simulator/simulator.ts'
import { createQuickbooksOnlineSimulator } from './quickbooks-online/simulator/simulator.ts'
import { createShopifySimulator } from './shopify/simulator/simulator.ts'
import { createSquareSimulator } from './square/simulator/simulator.ts'
import { createToastSimulator } from './toast/simulator/simulator.ts'
import { createWoocommerceSimulator } from './woocommerce/simulator/simulator.ts'
import { createXeroSimulator } from './xero/simulator/simulator.ts'
import { createZohoBooksSimulator } from './zoho-books/simulator/simulator.ts'
import { createZohoInventorySimulator } from './zoho-inventory/simulator/simulator.ts'

export const simulators: Readonly<Record<string, CreateSimulator>> = {
  square: createSquareSimulator,
  clover: createCloverSimulator,
  toast: createToastSimulator,
  'lightspeed-k': createLightspeedKSimulator,
  shopify: createShopifySimulator,
  woocommerce: createWoocommerceSimulator,
  bigcommerce: createBigcommerceSimulator,
  'lightspeed-x': createLightspeedXSimulator,
  loyverse: createLoyverseSimulator,
  xero: createXeroSimulator,
  'quickbooks-online': createQuickbooksOnlineSimulator,
  'zoho-books': createZohoBooksSimulator,
  'zoho-inventory': createZohoInventorySimulator,
  freshbooks: createFreshbooksSimulator,
}
