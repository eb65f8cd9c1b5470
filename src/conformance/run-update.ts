// An update of one adapter without the engine, for tests with their own call object.
import type { EntityAdapter, WriteCall, Written } from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'

export async function runUpdate<E extends EntityType, Row>(
  adapter: EntityAdapter<E, Row>,
  call: WriteCall,
  id: string,
  record: UnifiedRecord<E>,
): Promise<Written<Row>> {
  const { current = adapter.get!, run } = adapter.update!
  return run(call, (await current(call, id))!, record)
}
