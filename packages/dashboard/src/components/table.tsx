import { ArrowLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Query } from '../use-query.ts'
import { Button } from './button.tsx'
import './table.css'

export interface Column<Row> {
  name: string
  /** Aligns numbers to the right. */
  number?: boolean
  /** Takes the remaining width. */
  wide?: boolean
  /** The header is for screen readers only. */
  silent?: boolean
  cell(row: Row): ReactNode
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
}

/** A table on a wide screen, one card per row on a narrow one. */
export function Table<Row>({ label, columns, rows, rowKey, href, scrolls }: TableProps<Row>) {
  return (
    // What scrolls must be reachable with the keyboard.
    <section className="table-frame" aria-label={scrolls ? label : undefined} tabIndex={scrolls ? 0 : undefined}>
      <table className="table">
        <caption className="unseen">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, number, silent }) => (
              <th key={name} scope="col" className={number ? 'number' : undefined}>
                {silent ? <span className="unseen">{name}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className={href ? 'table-linked' : undefined}>
              {columns.map(({ name, number, wide, silent, cell }, index) => (
                <td
                  key={name}
                  data-label={silent ? undefined : name}
                  className={[number ? 'number' : '', wide ? 'table-wide' : ''].join(' ')}
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
