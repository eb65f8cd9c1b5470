// Updates of one record in rounds: one alone, the same several times at once, or different ones at once. The next round
// begins when every update of the last one is acknowledged.
import { isDeepStrictEqual } from 'node:util'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import { type CallerOptions, type Outcome, untilSettled } from './caller.ts'
import type { ViolationKind } from './checker.ts'
import { contentOf, partsOf } from './mutations.ts'
import type { Random } from './random.ts'

/** The contents that are put at once. */
export type Round = readonly number[]

/** Contents count from `from`, which is different for each record: some platforms take a name only once. */
export function planRounds(updates: number, from: number, random: Random): Round[] {
  const rounds: Round[] = []
  let content = from
  for (let left = updates; left > 0; left -= rounds.at(-1)?.length ?? 1) {
    const first = content++
    const kind = random.number()
    if (kind < 0.3) rounds.push([first])
    else if (kind < 0.6) rounds.push([first, first])
    else rounds.push(kind < 0.8 ? [first, content++] : [first, content++, content++])
  }
  return rounds
}

export async function putRounds(
  outcome: Outcome,
  { client, operator, random, onResponse, stopped }: CallerOptions,
): Promise<void> {
  const { site, rounds } = outcome.write
  const path = `${site.accountId}/${site.entityType}/${encodeURIComponent(outcome.id as string)}`
  for (const round of rounds) {
    if (outcome.refusal || stopped()) return
    outcome.rounds.push(round)
    const replies = await Promise.all(
      round.map((content, copy) => {
        const body = contentOf(site.mutations, outcome.response as AnyRecord, content)
        return untilSettled(client, 'PUT', path, body, random.fork(`${content}/${copy}`), stopped, () =>
          operator.reconnect(site.accountId),
        )
      }),
    )
    for (const reply of replies) {
      onResponse(reply.status === 200 ? 'PUT 200' : `PUT ${reply.status} ${reply.body.code}`)
      if (reply.status !== 200) outcome.refusal = `PUT: ${reply.status} ${JSON.stringify(reply.body).slice(0, 400)}`
      else outcome.updates++
    }
  }
}

/** The content that the record has now, which must be one of the last round; or what is wrong with it. */
export function contentNow(
  { write: { site }, rounds, response }: Outcome,
  read: AnyRecord,
): { content: number } | { kind: ViolationKind; detail: string } {
  const parts = partsOf(site.mutations, read)
  const has = (content: number) =>
    isDeepStrictEqual(parts, partsOf(site.mutations, contentOf(site.mutations, response as AnyRecord, content)))
  const content = rounds.at(-1)?.find(has)
  if (content !== undefined) return { content }
  const earlier = rounds.flat().find(has)
  return earlier === undefined
    ? { kind: 'mixed', detail: `it has ${JSON.stringify(parts)}, which no update of ${rounds.at(-1)} put` }
    : { kind: 'lost', detail: `it has the content ${earlier}; the last acknowledged updates were ${rounds.at(-1)}` }
}
