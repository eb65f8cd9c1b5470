// Leases by name, for work whose rows have no holder.
import { LostLease } from '../store/lost-lease.ts'
import type { Store } from '../store/store.ts'
import type { Claim, Work } from './job.ts'

export interface NamedLease {
  name: string
  holder: string
  /** One transaction, which has no effect if somebody else has the lease. It rejects with LostLease then. */
  commit<T>(work: (store: Store) => Promise<T>): Promise<T>
}
export type NamedLeases = Required<Pick<Work<NamedLease>, 'renew'>> & {
  take(name: string, claim: Claim): Promise<NamedLease | undefined>
  release(held: NamedLease): Promise<void>
}

export function createNamedLeases(store: Pick<Store, 'leases' | 'transaction'>): NamedLeases {
  const { leases } = store
  return {
    async take(name, { holder, leaseMs }) {
      if (!(await leases.acquire(name, holder, leaseMs))) return undefined
      return {
        name,
        holder,
        commit: (work) =>
          store.transaction(async (inner) => {
            // First: no one else takes it until the transaction has ended.
            if (!(await inner.leases.renew(name, holder, leaseMs)))
              throw new LostLease(`another process has the ${name}`)
            return work(inner)
          }),
      }
    },
    renew: ({ name, holder }, leaseMs) => leases.renew(name, holder, leaseMs),
    release: ({ name, holder }) => leases.release(name, holder),
  }
}
