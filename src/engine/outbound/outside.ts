// While a request waits for a platform, a slot or another request, it is no load on this process, and the next request
// can start.
import type { RequestContext } from '../options.ts'

export function beginWait(context: RequestContext): void {
  context.waits = (context.waits ?? 0) + 1
  if (context.waits === 1) context.load?.outside()
}
export function endWait(context: RequestContext): void {
  context.waits = (context.waits ?? 1) - 1
  if (context.waits === 0) context.load?.inside()
}

export async function outside<T>(context: RequestContext, wait: () => Promise<T>): Promise<T> {
  beginWait(context)
  try {
    return await wait()
  } finally {
    endWait(context)
  }
}
