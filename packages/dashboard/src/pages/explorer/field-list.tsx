import { Section } from '../../components/page.tsx'
import { Prose } from '../../components/prose.tsx'
import type { FieldSchema, Support } from './responses.ts'

interface Field {
  pointer: string
  name: string
  type: string
  about: string
  required: boolean
}

/** The fields of the entity type, with their schema and what this platform supports. */
export function FieldList({
  schema,
  support,
  platformName,
  references,
  onJump,
}: {
  schema: FieldSchema
  support: Support
  platformName: string
  references: Record<string, string>
  onJump(pointer: string): void
}) {
  const notStored = (pointer: string) =>
    support.notStored.find(
      (entry) => entry === pointer || pointer.startsWith(`${entry}/`) || entry.startsWith(`${pointer} (`),
    )
  return (
    <Section title="Fields">
      <ul className="field-list">
        {fieldsOf(schema).map(({ pointer, name, type, about, required }) => {
          const partly = notStored(pointer)
          return (
            <li key={pointer}>
              <div className="row">
                <button type="button" className="field-name" onClick={() => onJump(pointer.replaceAll('*', '0'))}>
                  {name}
                </button>
                <span className="small faint">{references[pointer] ? `ID of a ${references[pointer]}` : type}</span>
                {required ? <span className="field-mark field-required">required</span> : null}
                {!required && support.requires.includes(pointer) ? (
                  <span className="field-mark field-required">{platformName} requires it</span>
                ) : null}
                {partly ? (
                  <span className="field-mark">
                    {partly.endsWith(')') ? `not stored: ${partly.slice(pointer.length + 2, -1)}` : 'not stored'}
                  </span>
                ) : null}
              </div>
              <p className="small faint">
                <Prose text={about} />
              </p>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}

function fieldsOf(schema: FieldSchema, pointer = '', path = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) => {
    const [at, full] = [`${pointer}/${name}`, path ? `${path}.${name}` : name]
    const required = schema.required?.includes(name) ?? false
    if (node.properties) return fieldsOf(node, at, full)
    const own = {
      pointer: at,
      name: full,
      type: node.enum ? node.enum.join(' | ') : node.type === 'array' ? 'list' : (node.format ?? node.type ?? ''),
      about: node.description ?? '',
      required,
    }
    return node.items?.properties ? [own, ...fieldsOf(node.items, `${at}/*`, `${full}[ ]`)] : [own]
  })
}
