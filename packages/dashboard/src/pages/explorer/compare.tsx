// The unified and the native record side by side, with the mapping between their fields.

import { createRef, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ApiError } from '../../api.ts'
import { Failure, Skeleton } from '../../components/feedback.tsx'
import { plural } from '../../format.ts'
import { ArrowLeftRight } from '../../lucide/icons.tsx'
import type { EntityType } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Connector, heightIn, reveal, rowOf } from './connector.tsx'
import { type Active, type Lit, linksOf, markOf, type Side, usedPointers } from './links.ts'
import type { Explored, Provenance } from './responses.ts'
import { foldedAtFirst, Tree } from './tree.tsx'
import { isBelow, rowsOf, shownAt, type TreeRow, visibleRows } from './tree-rows.ts'
import { Words } from './words.tsx'
import './compare.css'

/** A separate node in the unified tree. */
const lackingNode = '/ '
const bare = (pointer: string) => (pointer.startsWith(`${lackingNode}/`) ? pointer.slice(lackingNode.length) : pointer)

export function Compare({
  explored,
  platformName,
  accountId,
  entityType,
  mappingKey,
}: {
  explored: Explored
  platformName: string
  accountId: string
  entityType: EntityType
  mappingKey: string
}) {
  const [provenance, error, retry] = useProvenance(explored.native, mappingKey, accountId, entityType)
  const [hovered, setHovered] = useState<Active>()
  const [focused, setFocused] = useState<Active>()
  const [side, setSide] = useState<Side>('unified')
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [moved, setMoved] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  const [trees] = useState(() => ({ unified: createRef<HTMLDivElement>(), native: createRef<HTMLDivElement>() }))

  const rows = useMemo(
    () => ({ unified: unifiedRows(explored, provenance), native: rowsOf(explored.native) }),
    [explored, provenance],
  )
  const folded = useMemo(() => {
    const first = {
      unified: new Set([lackingNode]),
      native: provenance ? foldedAtFirst(rows.native, usedPointers(provenance)) : new Set<string>(),
    }
    return { unified: withFolds(first.unified, folds, 'unified'), native: withFolds(first.native, folds, 'native') }
  }, [rows, provenance, folds])
  const visible = useMemo(
    () => ({ unified: visibleRows(rows.unified, folded.unified), native: visibleRows(rows.native, folded.native) }),
    [rows, folded],
  )

  const active = hovered ?? focused
  const links = useMemo(() => linksOf(active, provenance), [active, provenance])
  const lit = useMemo(
    () => ({ unified: onScreen(links.unified, visible.unified), native: onScreen(links.native, visible.native) }),
    [links, visible],
  )
  const pairs = useMemo(() => pairsOf(links.sentences, provenance, lit, visible), [links, provenance, lit, visible])
  useLayoutEffect(() => {
    if (!active) return
    const other = active.side === 'unified' ? 'native' : 'unified'
    reveal(trees[other].current, lit[other], heightIn(trees[active.side].current, active.pointer))
  }, [active, lit, trees])

  const fold = (which: Side) => (pointer: string, isFolded: boolean) => {
    setFolds(new Map(folds).set(`${which} ${pointer}`, isFolded))
    setMoved(moved + 1)
  }
  const activate = (which: Side) => (pointer: string | undefined, how: 'hover' | 'focus') => {
    const next = pointer === undefined || pointer === lackingNode ? undefined : { side: which, pointer: bare(pointer) }
    // The most recent of hover and focus; without hover, focus counts.
    setHovered((before) =>
      how === 'focus' ? undefined : before?.side === next?.side && before?.pointer === next?.pointer ? before : next,
    )
    if (how === 'focus') setFocused(next)
  }
  const cross = (which: Side) => () => {
    const other = which === 'unified' ? 'native' : 'unified'
    const [pointer] = [...lit[other]].find(([, how]) => how === 'main') ?? []
    if (pointer === undefined) return
    setSide(other)
    requestAnimationFrame(() => rowOf(trees[other].current, pointer)?.focus())
  }
  if (error) return <Failure error={error} kept="The record was loaded." retry={retry} />
  const used = provenance ? usedPointers(provenance) : []
  const treeOf = (which: Side) =>
    provenance ? (
      <Tree
        label={which === 'unified' ? 'Unified record' : `Native record of ${platformName}`}
        rows={visible[which]}
        folded={folded[which]}
        lit={lit[which]}
        scroller={trees[which]}
        onFold={fold(which)}
        onActive={activate(which)}
        onCross={cross(which)}
        onScroll={() => setMoved((before) => before + 1)}
        mark={(row) =>
          which === 'unified' ? (row.pointer === lackingNode ? '' : markOf(provenance, bare(row.pointer))) : ''
        }
        isFaint={(row) =>
          which === 'unified'
            ? row.pointer.startsWith(lackingNode) || row.value === undefined
            : !used.some((one) => isBelow(one, row.pointer) || isBelow(row.pointer, one))
        }
      />
    ) : (
      <div className="compare-shape" aria-busy="true">
        <span className="unseen">Loading…</span>
        <Skeleton lines={which === 'unified' ? 10 : 14} />
      </div>
    )
  return (
    <div className="compare" ref={frame} data-side={side}>
      <fieldset className="compare-sides">
        <legend className="unseen">Side</legend>
        {(['unified', 'native'] as const).map((which) => (
          <button key={which} type="button" aria-pressed={side === which} onClick={() => setSide(which)}>
            {which === 'unified' ? 'Unified' : platformName}
          </button>
        ))}
      </fieldset>
      <section className="compare-side compare-unified">
        <header>
          <h3>Unified</h3>
          <span className="small faint">as callers receive it</span>
        </header>
        {treeOf('unified')}
      </section>
      <section className="compare-side compare-native">
        <header>
          <h3>{platformName}</h3>
          <span className="small faint">
            {provenance ? `native · ${plural(new Set(used).size, 'value')} used` : 'native'}
          </span>
        </header>
        {treeOf('native')}
      </section>
      <Connector frame={frame} left={trees.unified} right={trees.native} pairs={pairs} moved={moved} />
      <footer className="compare-words">
        <ArrowLeftRight size={15} aria-hidden />
        <Words active={active} links={links} complete={provenance?.complete ?? true} />
      </footer>
    </div>
  )
}

/** The fields of the record, then the fields that it lacks. */
function unifiedRows({ record = {} }: Explored, provenance: Provenance | undefined): TreeRow[] {
  const lacking = provenance?.lacking ?? []
  const own = rowsOf(record)
  if (lacking.length === 0) return own
  const head: TreeRow = {
    pointer: lackingNode,
    name: 'not in this record',
    depth: 0,
    value: lacking,
    size: lacking.length,
  }
  return [
    ...own,
    head,
    ...lacking.map(({ pointer }) => ({
      pointer: `${lackingNode}${pointer}`,
      name: pointer.slice(1).replaceAll('/', '.'),
      depth: 1,
      value: undefined,
    })),
  ]
}

function withFolds(first: ReadonlySet<string>, folds: ReadonlyMap<string, boolean>, side: Side): Set<string> {
  const folded = new Set(first)
  for (const [key, isFolded] of folds) {
    const pointer = key.slice(side.length + 1)
    if (!key.startsWith(`${side} `)) continue
    if (isFolded) folded.add(pointer)
    else folded.delete(pointer)
  }
  return folded
}

/** A collapsed container represents its content. */
function onScreen(lit: Lit, visible: readonly TreeRow[]): Lit {
  const shown = new Set(visible.map(({ pointer }) => pointer))
  const found: Lit = new Map()
  for (const [pointer, how] of lit) {
    const at = shownAt(pointer, shown)
    if (at !== undefined && found.get(at) !== 'main') found.set(at, how)
  }
  return found
}

function pairsOf(
  sentences: readonly { pointer: string }[],
  provenance: Provenance | undefined,
  lit: { unified: Lit; native: Lit },
  visible: { unified: readonly TreeRow[]; native: readonly TreeRow[] },
) {
  const [left, right] = [
    new Set(visible.unified.map(({ pointer }) => pointer)),
    new Set(visible.native.map(({ pointer }) => pointer)),
  ]
  const pairs = new Map<string, { from: string; to: string; faint: boolean }>()
  for (const { pointer } of sentences) {
    for (const source of provenance?.fields.find((field) => field.pointer === pointer)?.sources ?? []) {
      const [from, to] = [shownAt(pointer, left), shownAt(source.pointer, right)]
      if (from === undefined || to === undefined || !lit.unified.has(from) || !lit.native.has(to)) continue
      const key = `${from} ${to}`
      pairs.set(key, { from, to, faint: Boolean(source.decides) && (pairs.get(key)?.faint ?? true) })
    }
  }
  return [...pairs.values()]
}

/**
 * Requested again only if the row changed, so that a refresh of the same record keeps its trees, collapsed nodes, and
 * focus.
 */
function useProvenance(
  native: unknown,
  mappingKey: string,
  accountId: string,
  entityType: EntityType,
): [Provenance | undefined, ApiError | undefined, () => void] {
  const { call } = useWorkspace()
  const question = useMemo(() => JSON.stringify({ native, mappingKey: mappingKey || undefined }), [native, mappingKey])
  const [state, setState] = useState<{ question?: string; provenance?: Provenance; error?: ApiError }>({})
  const load = useCallback(
    (signal?: AbortSignal) =>
      call('traceFields', { path: { accountId, entityType }, body: JSON.parse(question) }, { signal }).then(
        (provenance) => setState({ question, provenance }),
        (error: ApiError) => error.name === 'AbortError' || setState({ question, error }),
      ),
    [call, question, accountId, entityType],
  )
  useEffect(() => {
    const leaving = new AbortController()
    void load(leaving.signal)
    return () => leaving.abort()
  }, [load])
  const own = state.question === question ? state : {}
  return [own.provenance, own.error, () => void load()]
}
