// Queries that every request uses: building and compiling one costs more than running it, so it is compiled once, with
// placeholders for the values.
import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { prepareOnce } from './prepared.ts'
import type { Durability, DurableQuery, Queries } from './table-types.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

/** `build` must pass each value into the query unchanged, and must not depend on it. */
function once<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
  durability?: Durability,
): (db: Queries, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined
  return (db, values) => {
    if (!compiled) {
      compiled = build(placeholders as Values).compile()
      prepareOnce(compiled.sql)
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    )
    const query: DurableQuery<Row> = { ...compiled, parameters, durability }
    return db.executeQuery<Row>(query)
  }
}

export function rowsOnce<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row[]> {
  const execute = once(build)
  return async (db, values) => (await execute(db, values)).rows
}
/** With a list of ids. Only lists of one are compiled once: they are what a single record needs. */
export function rowsOnceIn<Values extends object, Row>(
  build: (values: Values, ids: readonly string[]) => Compilable<Row>,
): (db: Queries, values: Values, ids: readonly string[]) => Promise<Row[]> {
  const single = once((values: Values & { only: string }) => build(values, [values.only]))
  return async (db, values, ids) => {
    const [only] = ids
    const isSingle = only !== undefined && ids.length === 1
    const result = isSingle ? single(db, { ...values, only }) : db.executeQuery<Row>(build(values, ids).compile())
    return (await result).rows
  }
}
/** Returns the first row. */
export function compiledOnce<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
  { durability }: { durability?: Durability } = {},
): (db: Queries, values: Values) => Promise<Row | undefined> {
  const execute = once(build, durability)
  return async (db, values) => (await execute(db, values)).rows[0]
}
/** Returns whether a row changed. Returning the changed rows themselves would take SQLite as long as the change. */
export function changeOnce<Values extends object>(
  build: (values: Values) => Compilable<unknown>,
  { durability }: { durability?: Durability } = {},
): (db: Queries, values: Values) => Promise<boolean> {
  const execute = once(build, durability)
  return async (db, values) => ((await execute(db, values)).numAffectedRows ?? 0n) > 0n
}
