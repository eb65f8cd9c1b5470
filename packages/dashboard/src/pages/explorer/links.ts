// The links between unified and native fields, in both directions.
import type { Origin, Provenance } from './responses.ts'
import { isBelow } from './tree-rows.ts'

export type Side = 'unified' | 'native'
export interface Active {
  side: Side
  pointer: string
}
export type Lit = Map<string, 'main' | 'decides'>
/** One sentence: a unified field, the conversion, and where it came from. */
export interface Sentence {
  pointer: string
  words: string
  sources: string[]
}
export interface Links {
  unified: Lit
  native: Lit
  sentences: Sentence[]
}

const light = (lit: Lit, pointer: string, how: 'main' | 'decides') => {
  if (lit.get(pointer) !== 'main') lit.set(pointer, how)
}
const sentenceOf = ({ pointer, words, sources, settings }: Origin): Sentence => ({
  pointer,
  words:
    settings.length > 0 && !words.includes('settings')
      ? `${words} · decided by the setting ${settings.join(', ')}`
      : words,
  sources: sources.filter(({ decides }) => !decides).map((source) => source.pointer),
})

export function linksOf(active: Active | undefined, provenance: Provenance | undefined): Links {
  const links: Links = { unified: new Map(), native: new Map(), sentences: [] }
  if (!active || !provenance) return links
  if (active.side === 'unified') {
    for (const origin of provenance.fields.filter(({ pointer }) => isBelow(pointer, active.pointer))) {
      light(links.unified, origin.pointer, 'main')
      for (const source of origin.sources) light(links.native, source.pointer, source.decides ? 'decides' : 'main')
      links.sentences.push(sentenceOf(origin))
    }
    const lacking = provenance.lacking.find(({ pointer }) => pointer === active.pointer)
    if (lacking) links.sentences.push({ pointer: lacking.pointer, words: lacking.words, sources: lacking.sources })
    return links
  }
  for (const origin of provenance.fields) {
    const touching = origin.sources.filter(
      (source) => isBelow(source.pointer, active.pointer) || isBelow(active.pointer, source.pointer),
    )
    if (touching.length === 0) continue
    const decides = touching.every((source) => source.decides)
    light(links.unified, origin.pointer, decides ? 'decides' : 'main')
    for (const source of touching) light(links.native, source.pointer, source.decides ? 'decides' : 'main')
    links.sentences.push(sentenceOf(origin))
  }
  // Fields with this value come before fields that it only affects.
  links.sentences.sort(
    (left, right) =>
      Number(links.unified.get(left.pointer) === 'decides') - Number(links.unified.get(right.pointer) === 'decides'),
  )
  return links
}

const marks: Record<string, string> = {
  type: 'converted',
  scaled: 'scaled',
  time: 'time',
  word: 'translated',
  text: 'part',
  joined: 'joined',
  sum: 'sum',
  count: 'counted',
  computed: 'computed',
  absent: 'from a missing value',
  setting: 'setting',
  constant: 'default',
  mapping: 'mapping',
}
/** Label for the kind of conversion; none if the value is the same. */
export const markOf = (provenance: Provenance | undefined, pointer: string): string => {
  const kind = provenance?.fields.find((field) => field.pointer === pointer)?.kind
  return kind ? (marks[kind] ?? '') : (provenance?.lacking.find((field) => field.pointer === pointer)?.words ?? '')
}
export const usedPointers = (provenance: Provenance): string[] =>
  provenance.fields.flatMap(({ sources }) => sources.map(({ pointer }) => pointer))
