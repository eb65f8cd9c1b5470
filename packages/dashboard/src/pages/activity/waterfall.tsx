// The trace of a request over time: work in the service, and each call to the platform with its queue time.

import { Json } from '../../components/code.tsx'
import { State, Tag } from '../../components/state.tsx'
import { duration, percent } from '../../format.ts'
import { ChevronRight } from '../../lucide/icons.tsx'
import type { ActivityDetail, NativeCall, Stage } from '../../types.ts'
import { parsed } from './parsed.ts'
import './waterfall.css'

type Line =
  | { kind: 'stage'; from: number; stage: Stage }
  | { kind: 'call'; from: number; call: NativeCall; before: number }

/** How long the service paused between the attempt before and this one. */
function pauseBefore({ attempt, method, path, startMs, waitedMs }: NativeCall, calls: readonly NativeCall[]): number {
  const before = calls.findLast(
    (call) => call.retry && call.attempt === attempt - 1 && call.method === method && call.path === path,
  )
  return before ? Math.max(0, startMs - waitedMs - before.startMs - before.durationMs) : 0
}
const isFailed = ({ status }: NativeCall) => status === undefined || status >= 400

export function Waterfall({ detail }: { detail: ActivityDetail }) {
  const { stages, calls } = detail.trace
  const lines: Line[] = [
    ...stages.map((stage): Line => ({ kind: 'stage', from: stage.startMs, stage })),
    ...calls.map((call): Line => {
      const before = pauseBefore(call, calls)
      return { kind: 'call', from: call.startMs - call.waitedMs - before, call, before }
    }),
  ].sort((left, right) => left.from - right.from)
  const whole = Math.max(
    detail.totalMs,
    1,
    ...lines.map((line) =>
      line.kind === 'stage' ? line.stage.startMs + line.stage.durationMs : line.call.startMs + line.call.durationMs,
    ),
  )
  return (
    <div className="waterfall">
      <div className="waterfall-axis" aria-hidden hidden={lines.length === 0}>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>{duration(whole * share)}</span>
        ))}
      </div>
      <ol>
        {lines.map((line) =>
          line.kind === 'stage' ? (
            <StageLine key={`${line.stage.name} ${line.from}`} stage={line.stage} whole={whole} />
          ) : (
            <CallLine
              key={`${line.call.startMs} ${line.call.path} ${line.call.attempt}`}
              call={line.call}
              pause={line.before}
              whole={whole}
            />
          ),
        )}
      </ol>
      {detail.nativeCalls === 0 ? <p className="faint">No platform calls were made.</p> : null}
    </div>
  )
}

const stageWords: Record<string, string> = {
  validation: 'Validation',
  journal: 'Journal',
  references: 'References',
  recovery: 'Recovery',
  undo: 'Undo',
}
function StageLine({ stage, whole }: { stage: Stage; whole: number }) {
  return (
    <li className="waterfall-line">
      <div className="waterfall-name">
        <span>{stageWords[stage.name] ?? stage.name}</span>
        {stage.note ? <span className="small faint">{stage.note}</span> : null}
      </div>
      <Bar whole={whole} parts={[{ kind: 'service', from: stage.startMs, to: stage.startMs + stage.durationMs }]} />
      <span className="number soft">{duration(stage.durationMs)}</span>
    </li>
  )
}

function CallLine({ call, pause, whole }: { call: NativeCall; pause: number; whole: number }) {
  const sent = call.startMs
  const queued = sent - call.waitedMs
  return (
    <li>
      <details className="waterfall-call">
        <summary className="waterfall-line">
          <div className="waterfall-name">
            <span className="waterfall-path">
              <ChevronRight size={14} aria-hidden className="waterfall-arrow" />
              <span className="mono">
                {call.method} {call.path}
              </span>
            </span>
            <span className="row small">
              <State tone={isFailed(call) ? 'broken' : 'ok'}>
                <span className="number">{call.status ?? 'no response'}</span>
              </State>
              {call.kind === 'token' ? <Tag>token</Tag> : null}
              {call.readAhead ? <Tag>read ahead</Tag> : null}
              {call.attempt > 1 ? <Tag>attempt {call.attempt}</Tag> : null}
              {pause > 0.5 ? <span className="waterfall-retry">after a pause of {duration(pause)}</span> : null}
              {call.retry ? <span className="waterfall-retry">retried: {call.retry}</span> : null}
            </span>
          </div>
          <Bar
            whole={whole}
            parts={[
              { kind: 'pause', from: queued - pause, to: queued },
              { kind: 'wait', from: queued, to: sent },
              { kind: isFailed(call) ? 'failed' : 'platform', from: sent, to: sent + call.durationMs },
            ]}
          />
          <span className="number soft">{duration(call.waitedMs + call.durationMs)}</span>
        </summary>
        <CallDetail call={call} />
      </details>
    </li>
  )
}

function CallDetail({ call }: { call: NativeCall }) {
  return (
    <div className="waterfall-detail">
      <p className="small soft">
        {call.waitedMs > 0.5 ? `Queued for ${duration(call.waitedMs)}, then took` : 'Took'} {duration(call.durationMs)}.
        {call.used === undefined ? '' : ` Rate-limit use: ${percent(call.used)}.`}
        {call.error ? ` No response: ${call.error}.` : ''}
      </p>
      <div className="columns">
        <Side
          title="Request"
          headers={call.requestHeaders}
          body={call.requestBody}
          none="Bodies are stored for writes and failures only."
        />
        <Side
          title="Response"
          headers={call.responseHeaders}
          body={call.responseBody}
          none="Bodies are stored for writes and failures only."
        />
      </div>
    </div>
  )
}

function Side({
  title,
  headers,
  body,
  none,
}: {
  title: string
  headers: Record<string, string> | undefined
  body: string | undefined
  none: string
}) {
  return (
    <div className="stack-small">
      <h3>{title}</h3>
      {headers && Object.keys(headers).length > 0 ? (
        <dl className="waterfall-headers mono">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {body ? <Json value={parsed(body)} /> : <p className="small faint">{none}</p>}
    </div>
  )
}

function Bar({
  whole,
  parts,
}: {
  whole: number
  parts: readonly { kind: 'pause' | 'wait' | 'platform' | 'failed' | 'service'; from: number; to: number }[]
}) {
  return (
    <span className="waterfall-bar" aria-hidden>
      {parts.map(({ kind, from, to }) =>
        to > from || (kind !== 'wait' && kind !== 'pause') ? (
          <span
            key={kind}
            className={`split-${kind}`}
            style={{
              left: `${(Math.max(0, from) / whole) * 100}%`,
              width: `${Math.max(0, (to - Math.max(0, from)) / whole) * 100}%`,
            }}
          />
        ) : null,
      )}
    </span>
  )
}
