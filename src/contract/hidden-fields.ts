// Responses for a credential that must not see some fields of records. One function strikes them out of everything: records, differences, pointers, and sentences that may quote a value.
import { type ErrorCode, errorTable, warningTable } from './errors.ts'
import { withoutFields } from './scopes.ts'

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Members with records. Everything else of a body is the service's own. */
const ofRecords = ['data', 'record', 'records'] as const
/** Members with entries that name a field by its pointer; those about what a caller may not see are left out. */
const ofValues = ['differences', 'warnings'] as const
/** Such entries about what the caller has sent. */
const ofBodies = ['errors', 'missing'] as const

const names = (pointer: unknown, hidden: readonly string[]): boolean =>
  typeof pointer === 'string' && pointer.split('/').some((step) => hidden.includes(step))

/** A body of a response without these fields. `ofChanges`: its `data` is a page of the change feed. */
export function strikeHidden(body: unknown, hidden: readonly string[], { ofChanges = false } = {}): unknown {
  if (!isObject(body)) return body
  // A cursor of another credential can ask for native rows, and planned requests contain what a record holds.
  const { native: _, ...shown }: Json = body
  for (const name of ofRecords)
    if (shown[name] !== undefined && !(ofChanges && name === 'data')) shown[name] = withoutFields(shown[name], hidden)
  for (const name of [...(ofChanges ? ['data'] : []), 'changes'])
    if (Array.isArray(shown[name])) shown[name] = objectsIn(shown[name]).map((change) => ofChange(change, hidden))
  const { downstream } = body
  const said = isObject(downstream) && (downstream.status !== undefined || downstream.message !== undefined)
  for (const name of ofValues)
    if (Array.isArray(shown[name]))
      shown[name] = objectsIn(shown[name])
        .filter(({ pointer }) => !names(pointer, hidden))
        .map((entry) => ofPointer(entry, hidden, said))
  for (const name of ofBodies)
    if (Array.isArray(shown[name])) shown[name] = objectsIn(shown[name]).map((entry) => ofPointer(entry, hidden, said))
  return said && isProblem(body) ? ofProblem(shown, body.code) : shown
}

const ofChange = ({ record, changed, ...change }: Json, hidden: readonly string[]): Json => ({
  ...change,
  ...(record === undefined ? {} : { record: withoutFields(record, hidden) }),
  ...(Array.isArray(changed) ? { changed: changed.filter((pointer) => !names(pointer, hidden)) } : {}),
})

/** `said`: a platform has said it, in words that may quote a value. A warning may quote one as well. */
function ofPointer(entry: Json, hidden: readonly string[], said: boolean): Json {
  const { written, asked, code, message } = entry
  const own =
    typeof code === 'string' ? (warningTable as Partial<Record<string, { meaning: string }>>)[code] : undefined
  return {
    ...entry,
    ...(written === undefined ? {} : { written: withoutFields(written, hidden) }),
    ...(asked === undefined ? {} : { asked: withoutFields(asked, hidden) }),
    ...(message === undefined ? {} : { message: own?.meaning ?? (said ? 'is not accepted by the platform' : message) }),
  }
}

const isProblem = (body: Json): body is Json & { code: ErrorCode } =>
  typeof body.code === 'string' && Object.hasOwn(errorTable, body.code) && typeof body.detail === 'string'
/** Our own sentence and code stand alone: that of a platform may quote a value. */
function ofProblem({ downstream, ...shown }: Json, code: ErrorCode): Json {
  const { message: _, ...ofPlatform } = isObject(downstream) ? downstream : {}
  return {
    ...shown,
    detail: `${errorTable[code].meaning} ${errorTable[code].remedy}`,
    ...(isObject(downstream) ? { downstream: ofPlatform } : {}),
  }
}
