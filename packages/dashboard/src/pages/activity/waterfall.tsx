// The trace of a request over time: work in the service, and each call to the platform with its queue time.
import { ChevronRight } from 'lucide-react'
import { Json } from '../../components/code.tsx'
import { HttpStatus, Tag } from '../../components/state.tsx'
import { duration, percent } from '../../format.ts'
import type { ActivityDetail, NativeCall, Stage } from '../../types.ts'
import { parsed } from './parsed.ts'
import './waterfall.css'

type Line = { kind: 'stage'; from: number; stage: Stage } | { kind: 'call'; from: number; call: NativeCall }

export function Waterfall({ detail }: { detail: ActivityDetail }) {
  const { stages, calls } = detail.trace
  const lines: Line[] = [
    ...stages.map((stage): Line => ({ kind: 'stage', from: stage.startMs, stage })),
    ...calls.map((call): Line => ({ kind: 'call', from: call.startMs - call.waitedMs, call })),
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
              whole={whole}
            />
          ),
        )}
      </ol>
      {lines.length === 0 ? <p className="faint">No platform calls were needed.</p> : null}
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

function CallLine({ call, whole }: { call: NativeCall; whole: number }) {
  const sent = call.startMs
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
              <HttpStatus status={call.status ?? 0} />
              {call.kind === 'token' ? <Tag>token</Tag> : null}
              {call.readAhead ? <Tag>read ahead</Tag> : null}
              {call.attempt > 1 ? <Tag>attempt {call.attempt}</Tag> : null}
              {call.retry ? <span className="waterfall-retry">retried: {call.retry}</span> : null}
            </span>
          </div>
          <Bar
            whole={whole}
            parts={[
              { kind: 'wait', from: sent - call.waitedMs, to: sent },
              { kind: 'platform', from: sent, to: sent + call.durationMs },
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
  parts: readonly { kind: 'wait' | 'platform' | 'service'; from: number; to: number }[]
}) {
  return (
    <span className="waterfall-bar" aria-hidden>
      {parts.map(({ kind, from, to }) =>
        to > from || kind !== 'wait' ? (
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
