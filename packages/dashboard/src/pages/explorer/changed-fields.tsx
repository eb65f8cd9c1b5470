import { Section } from '../../components/page.tsx'
import { plural } from '../../format.ts'
import { rowsOf } from './tree-rows.ts'

interface ChangedField {
  pointer: string
  before: unknown
  after: unknown
}
/** Values that differ, are new, or are missing. */
function changedFields(before: unknown, after: unknown): ChangedField[] {
  const leaves = (value: unknown) =>
    new Map(rowsOf(value).flatMap(({ pointer, value: leaf, size }) => (size === undefined ? [[pointer, leaf]] : [])))
  const [old, now] = [leaves(before), leaves(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((pointer) => ({ pointer, before: old.get(pointer), after: now.get(pointer) }))
    .filter((field) => JSON.stringify(field.before) !== JSON.stringify(field.after))
}

/** What a replacement would change, before it is sent. */
export function ChangedFields({ before, after }: { before: unknown; after: unknown }) {
  const fields = changedFields(before, after)
  return (
    <Section title={fields.length === 0 ? 'No changes' : plural(fields.length, 'change')}>
      {fields.length === 0 ? (
        <p className="small faint">The record has the values that the platform has.</p>
      ) : (
        <dl className="changed-fields">
          {fields.map(({ pointer, before: old, after: now }) => (
            <div key={pointer}>
              <dt className="mono">{pointer.slice(1).replaceAll('/', '.')}</dt>
              <dd>
                {old === undefined ? <span className="faint">not set</span> : <del>{shown(old)}</del>}
                <span aria-hidden> → </span>
                <span className="unseen"> becomes </span>
                {now === undefined ? <span className="faint">removed</span> : <ins>{shown(now)}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}
const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
