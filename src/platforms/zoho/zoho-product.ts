// What the two Zoho products do not have in common.
import type { Rate } from '../../contract/connector.ts'
import type { Pointer } from '../../contract/entity.ts'

export interface ZohoProduct {
  id: string
  name: string
  docs: string
  limit: readonly Rate[]
  base: string // of every path
  scope: string // what its scopes begin with
  numbersContacts: boolean // contacts have a number of their own, in which a reference can be kept
  requires?: readonly Pointer[]
}
