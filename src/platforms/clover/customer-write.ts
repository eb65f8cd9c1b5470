import type { WriteCall } from '../../contract/connector.ts'
import { path, post } from '../../kit/requests.ts'
import { removeAll } from './account.ts'

/**
 * Sets, adds or removes a customer's first contact of a kind: each is a separate record, and sending one twice creates
 * two. `all` reads the existing ones.
 */
export async function changeContact(
  call: WriteCall,
  to: string,
  current: { id?: string } | undefined,
  target: Readonly<Record<string, unknown>> | '' | undefined,
  all: () => Promise<readonly { id?: string }[]>,
): Promise<void> {
  const holds = (contact: object) =>
    Object.entries(target || {}).every(([name, value]) => ((contact as Record<string, unknown>)[name] ?? '') === value)
  if (target ? current && holds(current) : !current) return
  const step = to.slice(to.lastIndexOf('/') + 1)
  if (!target) await removeAll(call, to, [current!.id!], all)
  else if (current?.id)
    await call.write(step, { request: post(to + path`/${current.id}`, target), read: () => true, recovery: 'repeat' })
  else
    await call.write(step, {
      request: post(to, target),
      read: () => true,
      recovery: { find: async () => (await all()).some(holds) || undefined },
    })
}
