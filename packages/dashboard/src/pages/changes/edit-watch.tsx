// The setting of one entity of an account: the default of the workspace, watched with intervals of its own, or not.
import { useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { say } from '../../components/toast.tsx'
import { manyOf } from '../../format.ts'
import type { EntityType, Intervals, Watch } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { every, type IntervalName, intervalChoices, standardOf, withInterval } from './intervals.ts'

type Setting = 'default' | 'on' | 'off'

export function EditWatch({
  entityType,
  watch,
  accountId,
  onClose,
  onChanged,
}: {
  entityType: EntityType
  watch: Watch
  accountId: string
  onClose(): void
  onChanged(): Promise<void>
}) {
  const { call } = useWorkspace()
  const path = { accountId, entityType }
  const defaults = useManage('getWorkspaceWatches').data
  const before: Setting = watch.setBy !== 'account' ? 'default' : watch.own ? 'on' : 'off'
  const [setting, setSetting] = useState(before)
  const [intervals, setIntervals] = useState<Intervals>(watch.own ?? {})
  const name = manyOf(entityType)
  const mode = watch.status?.mode ?? 'poll'
  const general = defaults?.entities[entityType]
  const stops = watch.watched && (setting === 'off' || (setting === 'default' && defaults !== undefined && !general))
  const save = useAction(async () => {
    if (setting === 'on') await call('setWatch', { path, body: intervals })
    else await call('stopWatch', { path, query: { reset: setting === 'off' ? undefined : true } })
    await onChanged()
    say(stops ? `Stopped watching ${name}` : 'Setting saved')
    onClose()
  })
  const interval = (of: IntervalName, label: string, hint: string) => {
    const inherited = general?.[of] ?? standardOf(of, mode)
    return (
      <Select
        label={label}
        value={String(intervals[of] ?? '')}
        onChange={(text) => setIntervals(withInterval(intervals, of, text))}
        choices={intervalChoices(
          of,
          watch.own?.[of],
          `${general?.[of] === undefined ? 'Standard' : 'Workspace default'}: ${every(of, inherited)}`,
        )}
        hint={hint}
      />
    )
  }
  const changed = setting !== before || (setting === 'on' && !isSame(intervals, watch.own ?? {}))
  return (
    <FormDialog
      title={`Watch ${name}`}
      submit={stops ? 'Stop watching' : 'Save'}
      danger={stops}
      onClose={onClose}
      action={save}
      ready={changed}
    >
      <Select
        label="Setting"
        value={setting}
        onChange={setSetting}
        choices={[
          {
            value: 'default',
            label: `Workspace default${defaults ? (general ? ': watched' : ': not watched') : ''}`,
          },
          { value: 'on', label: 'Watched in this account' },
          { value: 'off', label: 'Not watched in this account' },
        ]}
      />
      {setting === 'on' ? (
        <>
          {mode === 'poll' ? (
            interval('pollSeconds', 'Poll', 'Reads what was modified since the last poll: creates and updates.')
          ) : (
            <p className="soft">This platform cannot list records by modification time, so there are no polls.</p>
          )}
          {interval(
            'walkHours',
            'Walk',
            'Reads all records. It also finds deletes, and changes that polls cannot see.',
          )}
          <p className="small faint">
            The intervals get longer if polls and walks would use more than a tenth of the rate limit.
          </p>
        </>
      ) : null}
      {stops ? (
        <Notice tone="attention">
          Changes to {name} of this account are no longer reported, and cursors that include them expire. If you watch{' '}
          {name} again later, copies start over.
        </Notice>
      ) : null}
    </FormDialog>
  )
}

const isSame = (left: Intervals, right: Intervals) =>
  left.pollSeconds === right.pollSeconds && left.walkHours === right.walkHours
