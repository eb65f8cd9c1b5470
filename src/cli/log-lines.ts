// A request of the activity as text.
import type { ManageAnswer } from '../../packages/client/src/manage-call.ts'
import { inline } from './printable.ts'

export type FullEntry = ManageAnswer<'getActivity'>
export type Entry = Omit<FullEntry, 'trace'>

const rounded = (milliseconds: number) => `${Math.round(milliseconds)} ms`
const whatOf = ({ method, operation, entityType }: Entry) => [method, operation, entityType].filter(Boolean).join(' ')

/** One line, with columns at the same place in most lines. */
export const entryLine = (entry: Entry): string =>
  inline(
    [
      entry.at,
      entry.status,
      whatOf(entry).padEnd(24),
      (entry.accountId || '-').padEnd(28),
      rounded(entry.totalMs).padStart(8),
      entry.requestId,
      entry.errorCode ?? '',
    ]
      .join('  ')
      .trimEnd(),
  )

export function traceLines(entry: FullEntry): string[] {
  const { trace, requestId, at, status, accountId, platform, credentialId, externalId, nativeId } = entry
  const facts: [name: string, value: string | undefined][] = [
    ['request', requestId],
    ['time', at],
    [
      'status',
      [status, entry.errorCode, trace.replayed && 'replayed', trace.callerLeft && 'caller disconnected']
        .filter(Boolean)
        .join(', '),
    ],
    ['operation', whatOf(entry)],
    ['path', trace.path],
    ['account', accountId && `${accountId} (${platform})`],
    ['caller', credentialId],
    ['record', [externalId, nativeId && `platform id ${nativeId}`].filter(Boolean).join(', ')],
    ['duration', `${rounded(entry.totalMs)}: queue ${rounded(entry.waitMs)}, platform ${rounded(entry.platformMs)}`],
  ]
  const steps = [
    ...trace.stages.map(({ name, startMs, durationMs, note }) => ({
      startMs,
      text: `${name}  ${rounded(durationMs)}${note ? `  ${note}` : ''}`,
    })),
    ...trace.calls.flatMap((call) => [
      {
        startMs: call.startMs,
        text: [
          `${call.method} ${call.path}`,
          call.status ?? call.error ?? 'no response',
          rounded(call.durationMs),
          ...(call.waitedMs >= 1 ? [`after ${rounded(call.waitedMs)} in the queue`] : []),
          ...(call.attempt > 1 ? [`attempt ${call.attempt}`] : []),
          ...(call.retry ? [`tried again: ${call.retry}`] : []),
        ].join('  '),
      },
    ]),
  ].toSorted((one, other) => one.startMs - other.startMs)
  const section = (title: string, lines: readonly string[]) => (lines.length > 0 ? ['', title, ...lines] : [])
  const { problem } = trace
  return [
    ...facts.flatMap(([name, value]) => (value ? [`${name.padEnd(11)}${value}`] : [])),
    ...section(
      'steps',
      steps.map(({ startMs, text }) => `${rounded(startMs).padStart(9)}  ${text}`),
    ),
    ...section(
      'error',
      problem
        ? [
            `  ${problem.code}: ${problem.detail}`,
            ...(problem.errors ?? []).map(({ pointer, message }) => `  ${pointer} ${message}`),
          ]
        : [],
    ),
    ...section('body', trace.body ? [`  ${trace.body}`] : []),
    ...section('response', trace.response ? [`  ${trace.response}`] : []),
  ].map(inline)
}
