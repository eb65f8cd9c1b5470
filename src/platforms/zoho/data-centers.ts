// Where an account lives: https://www.zoho.com/accounts/protocol/oauth/multi-dc.html. Both hosts change together, and a token of one is unknown to the others.
import { Type } from 'typebox'

/** Accounts host -> API host. Canada's is the one that does not follow from the other. */
const hosts: Readonly<Record<string, string>> = {
  'https://accounts.zoho.com': 'https://www.zohoapis.com',
  'https://accounts.zoho.eu': 'https://www.zohoapis.eu',
  'https://accounts.zoho.in': 'https://www.zohoapis.in',
  'https://accounts.zoho.com.au': 'https://www.zohoapis.com.au',
  'https://accounts.zoho.jp': 'https://www.zohoapis.jp',
  'https://accounts.zohocloud.ca': 'https://www.zohoapis.ca',
  'https://accounts.zoho.uk': 'https://www.zohoapis.uk',
  'https://accounts.zoho.sa': 'https://www.zohoapis.sa',
  'https://accounts.zoho.ae': 'https://www.zohoapis.ae',
  'https://accounts.zoho.com.cn': 'https://www.zohoapis.com.cn',
}
/** The client's secret goes to the accounts host, and its name comes out of a redirect that anybody can write: only these are believed. */
export const settings = Type.Object({
  organizationId: Type.String({
    title: 'Organization',
    description: 'The organization; found out where the user has only one, or a default one',
    pattern: '^[0-9]{1,20}$',
  }),
  accountsServer: Type.String({
    title: 'Data centre (accounts)',
    description: "The data centre's accounts host; comes with the redirect after consent",
    enum: Object.keys(hosts),
  }),
  apiDomain: Type.String({
    title: 'Data centre (API)',
    description: "The data centre's API host; comes with the tokens",
    enum: Object.values(hosts),
  }),
})

/** Either host tells the other one. */
export function dataCentre({ accountsServer, apiDomain }: Readonly<Record<string, string>>): Record<string, string> {
  const known = Object.entries(hosts).find(([accounts, api]) => accounts === accountsServer || api === apiDomain)
  return known ? { accountsServer: known[0], apiDomain: known[1] } : {}
}
