import { Moment } from '../../components/moment.tsx'
import { HttpStatus, TestTag } from '../../components/state.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { TimeSplit } from '../../components/time-split.tsx'
import { actionName } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import type { Activity } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import './activity.css'

const verbs: Record<string, string> = {
  list: 'List',
  get: 'Read',
  find: 'Find',
  create: 'Create',
  update: 'Update',
  dry_run: 'Dry run',
  native: 'Native call',
  changes: 'Changes',
  changes_status: 'Changes status',
  support: 'Support',
  accounts: 'List accounts',
  test: 'Connection test',
  connect: 'Connect',
  resume: 'Resume',
  migrate: 'Migrate',
  exploreRecords: 'Explore',
  exploreRecord: 'Explore one',
  writeRecord: 'Write',
  replaceRecord: 'Replace',
  planRecord: 'Dry run',
  traceFields: 'Trace fields',
  previewMapping: 'Preview mapping',
}
/** Names a request, for example "List product" or "Connect: Clover". */
export function useWhat(): (request: Activity) => string {
  const platforms = usePlatforms()
  return ({ operation, entityType, platform }) => {
    const verb = verbs[operation] ?? actionName(operation)
    if (operation === 'connect')
      return `${verb}: ${platforms.data?.find((one) => one.platform === platform)?.name ?? platform}`
    return entityType ? `${verb} ${entityType.replaceAll('_', ' ')}` : verb
  }
}

/** One row per request. `of` leaves out columns that the page already shows. */
export function ActivityTable({
  rows,
  callers,
  of,
}: {
  rows: readonly Activity[]
  callers: ReadonlyMap<string, string>
  of?: 'account'
}) {
  const { page } = useWorkspace()
  const whatOf = useWhat()
  const longest = Math.max(1, ...rows.map(({ totalMs }) => totalMs))
  const columns: Column<Activity>[] = [
    {
      name: 'Request',
      cut: true,
      cell: (row) => {
        const record = row.externalId || row.nativeId
        return (
          <span title={record} className={of === 'account' ? undefined : 'activity-what'}>
            {whatOf(row)} {record ? <span className="mono faint activity-record">{record}</span> : null}
          </span>
        )
      },
    },
    ...(of === 'account'
      ? []
      : [
          {
            name: 'Account',
            cut: true,
            cell: (row: Activity) =>
              row.accountId ? (
                <span title={row.accountId} className="activity-account">
                  <TestTag of={row} /> <Ends text={row.accountId} />
                </span>
              ) : (
                <span className="faint">None</span>
              ),
          },
        ]),
    {
      name: 'Caller',
      spare: of !== 'account',
      cell: ({ credentialId }) => <Caller id={credentialId} callers={callers} />,
    },
    {
      name: 'Response',
      cell: ({ status, errorCode }) => (
        <span className="activity-response">
          <HttpStatus status={status} />
          {errorCode ? (
            <span className="small soft" title={errorCode}>
              {errorCode}
            </span>
          ) : null}
        </span>
      ),
    },
    { name: 'Time', cell: (row) => <TimeSplit split={row} longest={longest} /> },
    { name: 'When', number: true, cell: ({ at }) => <Moment exact at={at} /> },
  ]
  return (
    <Table
      label="Requests, newest first"
      columns={columns}
      rows={rows}
      rowKey={({ requestId }) => requestId}
      href={({ requestId }) => page('activity', requestId)}
    />
  )
}

const endLength = 6
/** Truncated in the middle where there is no room, because both ends identify an account. */
const Ends = ({ text }: { text: string }) => (
  <>
    <span className="activity-start">{text.slice(0, -endLength)}</span>
    <span>{text.slice(-endLength)}</span>
  </>
)

export function Caller({ id, callers }: { id: string; callers: ReadonlyMap<string, string> }) {
  if (!id) return <span className="faint">Service</span>
  const name = callers.get(id)
  return (
    <span className="activity-caller" title={name ? `${name} (${id})` : id}>
      {name ?? id}
    </span>
  )
}
