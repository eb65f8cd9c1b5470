import { type ReactNode, useState } from 'react'
import { FormDialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Moment } from '../../components/moment.tsx'
import { say } from '../../components/toast.tsx'
import type { OpenWriteDetail } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { nameOf } from './words.tsx'

export type Settling = OpenWriteDetail['settlings'][number]
interface Words {
  title: string
  submit: string
  done: string
}
const words: Record<Settling, Words> = {
  resend: { title: 'Send this write again?', submit: 'Send again', done: 'is written' },
  written: { title: 'Mark as written', submit: 'Mark as written', done: 'is written' },
  not_written: {
    title: 'Mark as not written?',
    submit: 'Mark as not written',
    done: 'counts as not written',
  },
}

/** Says what will happen, then does it. */
export function SettleDialog({
  how,
  write,
  platform,
  onClose,
  onSettled,
}: {
  how: Settling
  write: OpenWriteDetail
  platform: string
  onClose(): void
  onSettled(): void
}) {
  const { title, submit, done } = words[how]
  const { call } = useWorkspace()
  const isNamed = how === 'written' && write.operation !== 'native'
  const [nativeId, setNativeId] = useState(write.nativeId ?? '')
  const action = useAction(async () => {
    const path = { accountId: write.accountId, writeId: write.writeId }
    await (how === 'written'
      ? call('confirmWrite', { path, body: isNamed ? { nativeId: nativeId.trim() } : {} })
      : call(how === 'resend' ? 'resendWrite' : 'discardWrite', { path }))
    onSettled()
    say(`${nameOf(write)} ${write.externalId} ${done}`)
  })
  return (
    <FormDialog
      title={title}
      submit={submit}
      onClose={onClose}
      action={action}
      danger={how === 'not_written'}
      ready={!isNamed || nativeId.trim() !== ''}
      kept=""
    >
      <div className="stack-small soft">{consequence(how, write, platform)}</div>
      {isNamed ? (
        <TextField
          label="Platform ID"
          mono
          value={nativeId}
          onChange={setNativeId}
          autoComplete="off"
          error={action.error?.violationOf('/nativeId')}
          hint={`The ID of the record at ${platform}`}
        />
      ) : null}
      {write.effectiveUntil && how !== 'resend' ? (
        <Notice tone="attention">
          A call of this write may still take effect. You can settle it <Moment at={write.effectiveUntil} />.
        </Notice>
      ) : null}
    </FormDialog>
  )
}

function consequence(how: Settling, { operation, externalId }: OpenWriteDetail, platform: string): ReactNode {
  const key = <code>{externalId}</code>
  if (how === 'resend')
    return (
      <p>
        The service finds out what {platform} has, and sends only what is missing. A record that exists is not written a
        second time.
      </p>
    )
  if (how === 'written' && operation === 'native')
    return (
      <p>
        The call counts as made, and nothing is sent. {key} stays used: the caller’s next request with it is told that
        the call had its effect and that its response was lost.
      </p>
    )
  if (how === 'written')
    return (
      <>
        <p>
          The service reads the record at {platform}. If it exists and no other write made it, this write is done: the
          reference is stored, and the caller’s next request with {key} gets the record.
        </p>
        <p>Nothing is sent to {platform}.</p>
      </>
    )
  if (operation === 'update')
    return (
      <p>
        The update is dropped, and nothing more is sent. The record at {platform} keeps what the update has already
        changed. Other updates of the record can proceed.
      </p>
    )
  return (
    <>
      <p>
        Nothing is sent. {key} is free again: if the caller sends its request once more, it is sent to {platform} again.
      </p>
      <p>
        <strong>Check at {platform} first that it had no effect.</strong> If it had one, it may happen twice.
      </p>
    </>
  )
}
