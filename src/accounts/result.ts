// The signed result in the caller's return URL. docs/connect.md shows how to verify it.
import { createHmac } from 'node:crypto'
import type { ConnectLink } from '../store/store.ts'

export type Result = { status: 'connected'; accountId: string } | { status: 'failed'; error: string }

/** Query parameters of a return URL that the service sets. */
export const resultParameters = ['status', 'accountId', 'error', 'linkId', 'state', 'timestamp', 'signature']

export function returnAddress(
  link: Pick<ConnectLink, 'id' | 'returnUrl' | 'state' | 'signingSecret'>,
  result: Result,
): string | undefined {
  if (link.returnUrl === undefined) return undefined
  const url = new URL(link.returnUrl)
  const parameters = {
    ...result,
    linkId: link.id,
    ...(link.state === undefined ? {} : { state: link.state }),
    timestamp: String(Math.floor(Date.now() / 1000)),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  url.searchParams.sort()
  const signature = createHmac('sha256', link.signingSecret).update(url.searchParams.toString()).digest('hex')
  url.searchParams.append('signature', signature)
  return url.href
}
