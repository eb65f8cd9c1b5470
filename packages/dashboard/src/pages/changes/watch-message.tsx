// What an operator should know about a watch beside its figures, in plain words.
import type { ReactNode } from 'react'
import { Moment } from '../../components/moment.tsx'
import { count, plural } from '../../format.ts'
import type { Watch } from '../../types.ts'
import { kindOf } from './watch-state.ts'

/** Nearer than that, a relative time says "now". */
const soonMs = 5_000

type Status = NonNullable<Watch['status']>

export function watchLines(watch: Watch): ReactNode[] {
  const { status } = watch
  const main = mainLine(watch)
  return [
    main ? <div key="main">{main}</div> : null,
    status?.walk && !status.paused ? <Progress key="progress" status={status} walk={status.walk} /> : null,
    status?.deletesOnHold ? (
      <p key="held">
        <strong>{plural(status.deletesOnHold, 'delete')} on hold.</strong> A walk did not find{' '}
        {status.deletesOnHold === 1 ? 'this record' : 'these records'}. A delete is reported once it is confirmed by a
        read of the record or by another walk.
      </p>
    ) : null,
    status?.unreadable ? (
      <p key="unreadable">
        {plural(status.unreadable, 'record')} could not be converted. {status.unreadable === 1 ? 'Its' : 'Their'}{' '}
        changes are not reported.
      </p>
    ) : null,
    status?.breaches ? (
      <p key="breaches">
        {plural(status.breaches, 'change')} came late: polls missed {status.breaches === 1 ? 'it' : 'them'} and a walk
        found {status.breaches === 1 ? 'it' : 'them'}. Polls now read further back.
      </p>
    ) : null,
  ].filter((line) => line !== null)
}

function mainLine(watch: Watch): ReactNode {
  const { status } = watch
  switch (kindOf(watch)) {
    case 'not_covered':
      return (
        <p>
          The workspace watches this entity, but the authorization of this account does not cover it. Reconnect the
          account with the missing scope.
        </p>
      )
    case 'failing':
      return status?.lastError ? <FailedRead error={status.lastError} retryAt={status.retryAt} /> : null
    case 'starved':
      return (
        <p>
          Requests of your integrations have used the rate limit since{' '}
          {status?.starvedSince ? <Moment at={status.starvedSince} /> : null}. They come first. Reading continues when
          calls are free.
        </p>
      )
    case 'first_walk':
      return status?.walk ? null : <p>All records are read once. This starts in a moment.</p>
    case 'walk_due':
      return <p>A walk starts in a moment.</p>
    default:
      return null
  }
}

function FailedRead({ error, retryAt }: { error: NonNullable<Status['lastError']>; retryAt: string | undefined }) {
  return (
    <>
      <p>{error.detail}</p>
      <p className="faint">
        <code>{error.code}</code> {error.inARow === 1 ? 'once' : `${count(error.inARow)} times in a row`}, last{' '}
        <Moment at={error.at} />.{' '}
        {retryAt && Date.parse(retryAt) > Date.now() + soonMs ? (
          <>
            Next attempt <Moment at={retryAt} />.
          </>
        ) : (
          'The next attempt starts now.'
        )}{' '}
        Nothing is lost: reading continues where it stopped.
      </p>
    </>
  )
}

function Progress({ status, walk }: { status: Status; walk: NonNullable<Status['walk']> }) {
  const isFirst = status.phase === 'first_walk'
  // Of a first walk the total is unknown.
  const share = isFirst || status.records === 0 ? undefined : Math.min(1, walk.records / status.records)
  return (
    <div className="watch-progress">
      <p>
        {isFirst ? 'Reading all records once: ' : 'Walk in progress: '}
        <span className="number">{plural(walk.records, 'record')}</span>
        {share === undefined ? ` on ${plural(walk.pages, 'page')} so far` : ` of about ${count(status.records)}`},
        started <Moment at={walk.startedAt} />.{isFirst ? ' Changes are reported after that.' : ''}
      </p>
      <div
        className={share === undefined ? 'watch-bar watch-bar-open' : 'watch-bar'}
        role="progressbar"
        aria-label="Progress of the walk"
        {...(share === undefined
          ? {}
          : { 'aria-valuenow': Math.round(share * 100), 'aria-valuemin': 0, 'aria-valuemax': 100 })}
      >
        <span style={share === undefined ? undefined : { width: `${share * 100}%` }} />
      </div>
    </div>
  )
}
