// Every platform of the service. A new platform is one line here and one in simulators.ts.
import type { Connector } from '../contract/connector.ts'
import { bigcommerce } from './bigcommerce/connector.ts'
import { clover } from './clover/connector.ts'
import { freshbooks } from './freshbooks/connector.ts'
import { lightspeedK } from './lightspeed-k/connector.ts'
import { lightspeedX } from './lightspeed-x/connector.ts'
import { loyverse } from './loyverse/connector.ts'
import { quickbooksOnline } from './quickbooks-online/connector.ts'
import { shopify } from './shopify/connector.ts'
import { square } from './square/connector.ts'
import { toast } from './toast/connector.ts'
import { woocommerce } from './woocommerce/connector.ts'
import { xero } from './xero/connector.ts'
import { zohoBooks } from './zoho-books/connector.ts'
import { zohoInventory } from './zoho-inventory/connector.ts'

const all: readonly Connector[] = [
  square,
  clover,
  toast,
  lightspeedK,
  shopify,
  woocommerce,
  bigcommerce,
  lightspeedX,
  loyverse,
  xero,
  quickbooksOnline,
  zohoBooks,
  zohoInventory,
  freshbooks,
]

export const connectors: Readonly<Record<string, Connector>> = Object.fromEntries(
  all.map((connector) => [connector.id, connector]),
)
