import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { ArrowDown, ArrowLeft, ArrowUp, ChevronRight } from '../lucide/icons.tsx'
import type { Query } from '../use-query.ts'
import { Button } from './button.tsx'
import './table.css'

export interface Column<Row> {
  name: string
  /** Aligns numbers to the right. */
  number?: boolean
  /** Takes the remaining width. */
  wide?: boolean
  /** Shares the remaining width: one line, with an ellipsis where there is no room. */
  cut?: boolean
  /** Left out on tablets, beside the sidebar. */
  spare?: boolean
  /** The header is for screen readers only. */
  silent?: boolean
  cell(row: Row): ReactNode
  /** What its header sorts by, in tables with all rows. Rows without a value come last. */
  sort?(row: Row): string | number | undefined
}
interface TableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  /** Makes the whole row a link; the first cell contains the anchor. */
  href?(row: Row): string
  /** Wider than its place on some screens. */
  scrolls?: boolean
  /** The rows are one page of several: to sort them would mislead. */
  partial?: boolean
}
interface Order {
  column: string
  descending: boolean
}
const compare = (left: string | number, right: string | number) =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), 'en', { numeric: true })
function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | undefined): readonly Row[] {
  const sort = columns.find(({ name }) => name === order?.column)?.sort
  if (!sort || !order) return rows
  return rows.toSorted((one, other) => {
    const [left, right] = [sort(one), sort(other)]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    return order.descending ? compare(right, left) : compare(left, right)
  })
}
/** Ascending, then descending, then as it was. */
const nextOrder = (order: Order | undefined, column: string): Order | undefined =>
  order?.column !== column ? { column, descending: false } : order.descending ? undefined : { column, descending: true }

const classOf = ({ number, spare }: { number?: boolean; spare?: boolean }) =>
  `${number ? 'number' : ''} ${spare ? 'table-spare' : ''}`

/** A table on a wide screen, one card per row on a narrow one. */
export function Table<Row>({ label, columns, rows: given, rowKey, href, scrolls, partial }: TableProps<Row>) {
  const [order, setOrder] = useState<Order>()
  const rows = partial ? given : sorted(given, columns, order)
  return (
    // What scrolls must be reachable with the keyboard.
    <section className="table-frame" aria-label={scrolls ? label : undefined} tabIndex={scrolls ? 0 : undefined}>
      <table className="table">
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, silent, sort, ...column }) => {
              const descending = order?.column === name ? order.descending : undefined
              const direction = descending === undefined ? undefined : descending ? 'descending' : 'ascending'
              return sort && !partial && given.length > 1 ? (
                <th key={name} scope="col" className={classOf(column)} aria-sort={direction}>
                  <button type="button" className="table-sort" onClick={() => setOrder(nextOrder(order, name))}>
                    {name}
                    {direction ? (
                      descending ? (
                        <ArrowDown size={12} aria-hidden />
                      ) : (
                        <ArrowUp size={12} aria-hidden />
                      )
                    ) : null}
                  </button>
                </th>
              ) : (
                <th key={name} scope="col" className={classOf(column)}>
                  {silent ? <span className="unseen">{name}</span> : name}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={href ? 'table-linked' : undefined}>
              {columns.map(({ name, wide, cut, silent, cell, ...column }, index) => (
                <td
                  key={name}
                  data-label={silent ? undefined : name}
                  className={`${classOf(column)} ${wide ? 'table-wide' : ''} ${cut ? 'table-cut' : ''}`}
                >
                  {href && index === 0 ? (
                    <Link href={href(row)} className="table-link">
                      {cell(row)}
                    </Link>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Placeholder of a table. */
export function TableShape({ columns, rows = 8 }: { columns: number; rows?: number }) {
  return (
    <div className="table-frame table-shape" aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same
        <div key={row}>
          {Array.from({ length: columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: so are the cells
            <span key={column} className="skeleton skeleton-line" />
          ))}
        </div>
      ))}
    </div>
  )
}

/** Whether a list from the server is one page of several. */
export const isPartial = (query: Query, next: string | undefined) => query.get('after') !== '' || next !== undefined

/** The position is in the URL, so Back returns to the previous page. */
export function Pager({
  query,
  shown,
  next,
  of,
}: {
  query: Query
  shown: number
  next: string | undefined
  of: string
}) {
  const after = query.get('after')
  if (!after && !next) return null
  return (
    <nav className="pager" aria-label={`${of}: pages`}>
      <span className="faint">
        {shown} {of} {after ? 'on this page' : 'shown'}
      </span>
      <span className="row">
        {after ? (
          <Button small icon={ArrowLeft} onClick={() => query.set({ after: undefined })}>
            First page
          </Button>
        ) : null}
        <Button small disabled={!next} onClick={() => query.set({ after: next })}>
          Next page <ChevronRight size={16} aria-hidden />
        </Button>
      </span>
    </nav>
  )
}
