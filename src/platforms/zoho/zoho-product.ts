// The differences between the two Zoho products.
import type { Connector, Rate } from '../../contract/connector.ts'
import type { Pointer } from '../../contract/entity.ts'

export interface ZohoProduct {
  id: string
  name: string
  docs: string
  apiVersion: Connector['apiVersion']
  limit: readonly Rate[]
  dailyCalls: Readonly<Record<string, number>> // by plan
  base: string // of every path
  scope: string // prefix of its scopes
  numbersContacts: boolean // contacts have a number, which can contain a reference
  requires?: readonly Pointer[]
}
