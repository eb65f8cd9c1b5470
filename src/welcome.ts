// The lines that `npm start` prints when the sandbox runs. sandbox.json has the rest.
import type { SandboxFile } from './sandbox-workspace.ts'

export function welcome({ baseUrl, apiKey, accounts, dashboard }: SandboxFile, file: string): string {
  const account = accounts.find(({ accountId }) => accountId === 'sandbox-square-restaurant') ?? accounts[0]
  if (!account) return ''
  return `
Dashboard   ${dashboard.url} (user ${dashboard.user}, password in ${file})
API key     ${apiKey}
First call  curl -s '${baseUrl}/unified/${account.accountId}/product?pageSize=2' -H 'authorization: Bearer ${apiKey}'
Docs        ${baseUrl}/docs and ${baseUrl}/reference
`
}
