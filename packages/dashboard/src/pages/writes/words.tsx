import { State } from '../../components/state.tsx'
import { readable } from '../../format.ts'
import type { OpenWrite } from '../../types.ts'

/** "Create customer", "Update order", "Native call". */
export const nameOf = ({ operation, entityType = '' }: OpenWrite) =>
  operation === 'native' ? 'Native call' : `${readable(operation)} ${entityType.replaceAll('_', ' ')}`

export function WriteState({ write }: { write: OpenWrite }) {
  if (write.state === 'partial') return <State tone="broken">Written in part</State>
  if (write.state === 'unknown') return <State tone="attention">Outcome unknown</State>
  return <State tone="waiting">In progress</State>
}
