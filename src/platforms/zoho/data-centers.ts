// The data centers of accounts: https://www.zoho.com/accounts/protocol/oauth/multi-dc.html. Both hosts change together,
// and a token of one is invalid at the others.
import { Type } from 'typebox'

/** Accounts host -> API host. Only Canada's hosts do not follow the pattern. */
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
/**
 * The client secret is sent to the accounts host, whose name comes from a redirect that anyone can forge: only these
 * are accepted.
 */
export const settingsWith = (plans: readonly string[]) =>
  Type.Object({
    organizationId: Type.String({
      title: 'Organization',
      description: 'The organization; determined if the user has only one, or a default one',
      pattern: '^[0-9]{1,20}$',
    }),
    accountsServer: Type.String({
      title: 'Data center (accounts)',
      description: "The data center's accounts host; part of the redirect after consent",
      enum: Object.keys(hosts),
    }),
    apiDomain: Type.String({
      title: 'Data center (API)',
      description: "The data center's API host; part of the token response",
      enum: Object.values(hosts),
    }),
    plan: Type.Optional(
      Type.String({
        title: 'Plan',
        description:
          'The plan of the organization, which decides how many calls a day has; determined when the account is connected. Change it when the plan changes',
        enum: [...plans],
      }),
    ),
  })

/** Each host determines the other one. */
export function dataCenter({ accountsServer, apiDomain }: Readonly<Record<string, string>>): Record<string, string> {
  const known = Object.entries(hosts).find(([accounts, api]) => accounts === accountsServer || api === apiDomain)
  return known ? { accountsServer: known[0], apiDomain: known[1] } : {}
}
