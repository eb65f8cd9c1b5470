import { useEffect } from 'react'
import { Link } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { SearchField } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { Prose } from '../../components/prose.tsx'
import { HttpStatus } from '../../components/state.tsx'
import { type Column, Table, TableShape } from '../../components/table.tsx'
import { SearchX } from '../../lucide/icons.tsx'
import type { ErrorRow } from '../../types.ts'
import { usePublicPage } from '../../use-data.ts'
import { useQuery, useTyped } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import './errors.css'

export default function ErrorsPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const [search, setSearch] = useTyped(query, 'search')
  const code = query.get('code')
  const table = usePublicPage('/errors.json')
  useEffect(() => {
    if (code && table.data) document.getElementById(`error-${code}`)?.scrollIntoView({ block: 'center' })
  }, [code, table.data])
  const columns: Column<ErrorRow>[] = [
    { name: 'Status', sort: ({ status }) => status, cell: ({ status }) => <HttpStatus status={status} /> },
    {
      name: 'Code',
      sort: (row) => row.code,
      cell: (row) => (
        <span id={`error-${row.code}`} className={row.code === code ? 'error-code error-chosen' : 'error-code'}>
          <Link href={`${page('errors')}?code=${row.code}`} className="mono">
            {row.code}
          </Link>
        </span>
      ),
    },
    {
      name: 'Meaning',
      wide: true,
      cell: ({ title, meaning, remedy }) => (
        <div className="error-words">
          <strong>{title}</strong>
          <p className="soft">
            <Prose text={meaning} />
          </p>
          <p>
            <span className="faint">How to fix: </span>
            <Prose text={remedy} />
          </p>
        </div>
      ),
    },
    {
      name: 'Requests',
      silent: true,
      cell: ({ code: one }) => (
        <Link href={withQuery(page('activity'), { status: one })} className="small" aria-label={`Requests with ${one}`}>
          Requests
        </Link>
      ),
    },
  ]
  const text = search.trim().toLowerCase()
  const fits = (row: ErrorRow) =>
    `${row.status} ${row.code} ${row.title} ${row.meaning} ${row.remedy}`.toLowerCase().includes(text)
  return (
    <Page
      title="Errors"
      about="The complete list of error codes. Each error response is application/problem+json with a request ID."
    >
      <div className="filters">
        <SearchField label="Search errors" placeholder="Code, status, or text" value={search} onChange={setSearch} />
      </div>
      <Content of={table} shape={<TableShape columns={3} rows={10} />}>
        {({ data }) => {
          const rows = data.filter(fits).sort((left, right) => left.status - right.status)
          return rows.length > 0 ? (
            <Table label="Errors" columns={columns} rows={rows} rowKey={(row) => row.code} />
          ) : (
            <Empty
              icon={SearchX}
              title={`No errors match “${search}”`}
              action={<Button onClick={() => setSearch('')}>Show all</Button>}
            >
              Codes are lowercase with underscores, such as outcome_unknown.
            </Empty>
          )
        }}
      </Content>
    </Page>
  )
}
