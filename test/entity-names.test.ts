// An entity type is declared once. Code that names one as text is a place that a new type would have to be added to, so
// only the declarations and the platforms do it. Everything else asks the declarations.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entityTypes } from '../src/contract/entity.ts'

interface Source {
  path: string
  text: string
}
const root = join(import.meta.dirname, '..')
const sources: Source[] = globSync(['src/**/*.ts', 'packages/*/src/**/*.{ts,tsx}'], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/(^|\/)(node_modules|dist|generated)\/|\.test\.tsx?$/.test(path))
  .filter((path) => !/^src\/(contract\/entities|platforms)\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const header = 'the name of a header'
const kindOfNote = 'a kind of note'
const option = 'the name of an option'
const notASale = 'a kind of row that is left out of the orders'
const choice = 'a setting whose value is the id of a location'
/** `file: literal`, with the reason. */
const waivers: Readonly<Record<string, string>> = {
  'src/engine/outbound/redaction.ts: location': header,
  'src/migrate/shape.ts: location': kindOfNote,
  'src/migrate/fit.ts: location': 'a member of a type',
  'src/cli/migrate/options.ts: location': option,
  'src/cli/migrate/command.ts: location': option,
  'src/cli/migrate/words.ts: location': kindOfNote,
  'src/accounts/fields.ts: location': choice,
  'src/contract/manage/platforms.ts: location': choice,
  'src/contract/connector.ts: location': choice,
  'src/engine/write/location-choices.ts: location': choice,
  'packages/dashboard/src/pages/accounts/account-settings.tsx: location': choice,
  'packages/dashboard/src/pages/accounts/use-locations.ts: location': choice,
  'packages/dashboard/src/pages/accounts/link-reference.tsx: location': 'its ids are chosen, not typed in',
  'src/sandbox-workspace.ts: location': 'the first one gets a source id that the guides use',
  'src/migrate/location.ts: location': 'a member of a type',
  'src/migrate/route.ts: payment': 'a target dates payments when it records them',
  'src/migrate/location.ts: order': 'asks the target which location an order would get',
  'src/migrate/fit.ts: order': 'the states of an order, and which one is next best',
  'src/migrate/selection.ts: order': 'a migration may leave out old orders',
  'packages/dashboard/src/pages/migrations/new-migration.tsx: order': 'a migration may leave out old orders',
  'packages/dashboard/src/format.ts: time_entry': 'an example in a comment',
  'src/cli/migrate/options.ts: customer': 'an example in a message',
  'src/contract/manage/migrations.ts: customer': 'an example in a description',
  'src/kit/orders.ts: order': 'the writes of orders have tables of their own',
  'src/contract/connector.ts: refund': notASale,
  'src/engine/identity.ts: refund': notASale,
  'src/conformance/native-cases.ts: payment_method': 'fixed payment methods have no native row',
  'src/conformance/subject.ts: payment': 'each payment of a case needs an order of its own',
  'src/conformance/cases.ts: order': 'one of the witnesses of each kind of recovery',
  'src/conformance/requirement-cases.ts: order': 'its bare record has a line in place of a name',
}
const literals = new RegExp(`['"\`](${entityTypes.join('|')})['"\`]`, 'g')
const namesIn = (files: readonly Source[]) =>
  new Set(files.flatMap(({ path, text }) => [...text.matchAll(literals)].map(([, name]) => `${path}: ${name}`)))

describe('the names of entity types', () => {
  it('appear as text only where a reason is given', () => {
    expect([...namesIn(sources)].filter((place) => !waivers[place])).toEqual([])
  })
  it('have no waiver that is no longer needed', () => {
    const found = namesIn(sources)
    expect(Object.keys(waivers).filter((place) => !found.has(place))).toEqual([])
  })
  it('are found when a file lists one', () => {
    expect(sources.length).toBeGreaterThan(500)
    const planted = { path: 'src/engine/planted.ts', text: 'const personal = [\'customer\', "time_entry"]' }
    expect([...namesIn([planted])]).toEqual(['src/engine/planted.ts: customer', 'src/engine/planted.ts: time_entry'])
  })
})
