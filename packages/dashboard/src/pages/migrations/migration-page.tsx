import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Content, Failure, Skeleton } from '../../components/feedback.tsx'
import { Page } from '../../components/page.tsx'
import { say } from '../../components/toast.tsx'
import { Play, RotateCw, Square, Trash2 } from '../../lucide/icons.tsx'
import { usePlatforms } from '../../platforms.ts'
import type { Migration } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { PlanView } from './plan-view.tsx'
import { ReportView } from './report-view.tsx'
import { RunDialog } from './run-dialog.tsx'
import { RunView } from './run-view.tsx'
import { type StepName, Steps, stepNames } from './steps.tsx'
import { isUnderWay, MigrationState } from './words.tsx'

/** Planning that ended early has no plan, so it stays at this step. */
const reachedBy = ({ state, plan, report }: Migration): StepName =>
  state === 'done'
    ? 'Report'
    : !plan || state === 'planned'
      ? 'Plan'
      : state === 'running' || !report
        ? 'Run'
        : 'Report'

export default function MigrationPage() {
  const { migrationId = '' } = useParams()
  const { call, page } = useWorkspace()
  const [, navigate] = useLocation()
  const query = useQuery()
  const [every, setEvery] = useState<number>()
  const loaded = useManage('getMigration', { path: { migrationId } }, { every })
  const { data } = loaded
  const wanted = data && isUnderWay(data) ? 1_000 : undefined
  if (wanted !== every) setEvery(wanted)
  const [dialog, setDialog] = useState<'run' | 'delete'>()
  const stop = useAction(async () => {
    loaded.put(await call('stopMigration', { path: { migrationId } }))
    say('Stopped. What was written stays; continue at any time.')
  })
  const platforms = usePlatforms()
  const nameOf = (id: string) => platforms.data?.find(({ platform }) => platform === id)?.name ?? id
  const reached = data ? reachedBy(data) : 'Plan'
  const asked = stepNames.find((name) => name.toLowerCase() === query.get('step'))
  const shown = asked && stepNames.indexOf(asked) <= stepNames.indexOf(reached) ? asked : reached
  const hrefOf = (step: StepName) =>
    step === 'Accounts'
      ? withQuery(page('migrations', 'new'), { from: data?.from.accountId, to: data?.to.accountId })
      : withQuery(page('migrations', migrationId), { step: step === reached ? undefined : step.toLowerCase() })
  return (
    <Page
      title={data ? `${data.from.name} → ${data.to.name}` : 'Migration'}
      parent={{ label: 'Migrations', href: page('migrations') }}
      state={data ? <MigrationState of={data} /> : undefined}
      about={data ? `From ${nameOf(data.from.platform)} to ${nameOf(data.to.platform)}` : undefined}
      actions={
        data ? (
          <>
            {isUnderWay(data) ? (
              <Button icon={Square} needs="operator" busy={stop.busy} onClick={() => void stop.run()}>
                Stop
              </Button>
            ) : (
              <Button icon={Trash2} needs="operator" onClick={() => setDialog('delete')}>
                Delete
              </Button>
            )}
            {data.plan && !isUnderWay(data) ? (
              <Button
                kind={data.state === 'done' ? 'plain' : 'primary'}
                icon={data.state === 'done' ? RotateCw : Play}
                needs="operator"
                onClick={() => setDialog('run')}
              >
                {data.state === 'planned' ? 'Start migration' : data.state === 'done' ? 'Run again' : 'Continue'}
              </Button>
            ) : null}
          </>
        ) : undefined
      }
    >
      <Steps shown={shown} reached={reached} ended={data?.state === 'done'} hrefOf={hrefOf} />
      {stop.error ? <Failure error={stop.error} /> : null}
      <Content of={loaded} shape={<Skeleton height={280} />}>
        {(migration) =>
          shown === 'Plan' ? (
            <PlanView migration={migration} />
          ) : shown === 'Run' ? (
            <RunView migration={migration} />
          ) : (
            <ReportView migration={migration} />
          )
        }
      </Content>
      {dialog === 'run' && data?.plan ? (
        <RunDialog
          migration={data}
          plan={data.plan}
          onClose={() => setDialog(undefined)}
          onStarted={(started) => {
            setDialog(undefined)
            loaded.put(started)
            navigate(page('migrations', migrationId))
          }}
        />
      ) : null}
      {dialog === 'delete' && data ? (
        <Confirm
          title="Delete this migration?"
          submit="Delete migration"
          consequence={
            <p>
              The plan, the report, and the list of what was written are deleted. Records at both platforms stay as they
              are. A new migration between the same accounts still writes nothing twice.
            </p>
          }
          onClose={() => setDialog(undefined)}
          onConfirm={async () => {
            await call('deleteMigration', { path: { migrationId } })
            navigate(page('migrations'))
          }}
        />
      ) : null}
    </Page>
  )
}
