// A task is a job with one piece of work, which is due at fixed times: on each instance, or on one of them.
import { everyMsOf, type Next, type Plan, type Turn, type Work } from './job.ts'
import type { NamedLease, NamedLeases } from './named-lease.ts'

interface TaskOptions {
  name: string
  plan: Pick<Plan, 'everyMs' | 'leastMs'>
  scale: number
  run(turn: Turn): Promise<void>
}

function taskOf({ name, plan, scale, run }: TaskOptions) {
  const everyMs = everyMsOf(plan, scale)
  return {
    due: async () => [name],
    async work(_: unknown, turn: Turn): Promise<Next> {
      await run(turn)
      return turn.mayGoOn() ? { dueInMs: everyMs, holdMs: everyMs } : { dueInMs: 0 }
    },
    about: () => name,
  }
}
export const onEach = (options: TaskOptions): Work<object> => ({
  ...taskOf(options),
  take: async () => ({}),
  release: async () => {},
})
/** The lease stays for half of the interval, so that the other instances do not repeat what was just done. */
export const onOne = (leases: NamedLeases, options: TaskOptions): Work<NamedLease> => ({
  ...taskOf(options),
  take: leases.take,
  renew: leases.renew,
  async release(held, { dueInMs }) {
    if (dueInMs > 0) await leases.renew(held, dueInMs / 2)
    else await leases.release(held)
  },
})
