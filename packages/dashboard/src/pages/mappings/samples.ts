// Sample records for previews: real ones for reads, the schema example for writes.
import { useMemo, useState } from 'react'
import type { EntityType } from '../../types.ts'
import { type Loaded, useManage } from '../../use-data.ts'
import type { Described, ExploredPage } from '../explorer/responses.ts'
import { titleOf } from '../explorer/titles.ts'
import { rowsOf } from '../explorer/tree-rows.ts'

export interface Sample {
  id: string
  title: string
  source: unknown
}
export interface Samples {
  all: Sample[]
  current: Sample | undefined
  /** Pointers into the source that a rule can use. */
  pointers: string[]
  choose(id: string): void
  loading: Loaded<ExploredPage>
}

export function useSamples(
  accountId: string,
  entityType: EntityType,
  direction: 'read' | 'write',
  description: Described,
): Samples {
  const [chosen, setChosen] = useState('')
  const page = useManage(direction === 'read' ? 'exploreRecords' : undefined, {
    path: { accountId, entityType },
    query: { pageSize: 10 },
  })
  const all = useMemo((): Sample[] => {
    if (direction === 'write') return [{ id: 'example', title: 'Schema example', source: description.example }]
    return (page.data?.data ?? []).map((explored) => ({
      id: explored.id,
      title: titleOf(explored),
      source: explored.native,
    }))
  }, [direction, description, page.data])
  const current = all.find(({ id }) => id === chosen) ?? all[0]
  const pointers = useMemo(
    () => rowsOf(current?.source).flatMap(({ pointer, size }) => (size === undefined ? [pointer] : [])),
    [current],
  )
  return { all, current, pointers, choose: setChosen, loading: page }
}
