// Queries of every request: building and compiling one costs more than running it, so that is done once, with marks in the place of the values.
import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Durability, DurableQuery, Queries } from './schema.ts'

class Mark {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
const marks = new Proxy({}, { get: (_, name) => new Mark(String(name)) })

/** `build` must put every value that changes into the query as it is, and decide nothing by it. */
function once<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
  durability?: Durability,
): (db: Queries, values: Values) => Promise<QueryResult<Row>> {
  let compiled: CompiledQuery<Row> | undefined
  return (db, values) => {
    compiled ??= build(marks as Values).compile()
    const parameters = compiled.parameters.map((given) =>
      given instanceof Mark ? values[given.name as keyof Values] : given,
    )
    const query: DurableQuery<Row> = { ...compiled, parameters, durability }
    return db.executeQuery<Row>(query)
  }
}

/** Answers the first row. */
export function compiledOnce<Values extends object, Row>(
  build: (values: Values) => Compilable<Row>,
): (db: Queries, values: Values) => Promise<Row | undefined> {
  const ask = once(build)
  return async (db, values) => (await ask(db, values)).rows[0]
}
/** Answers whether it changed anything: asking for the changed rows themselves takes SQLite as long as the change. */
export function changeOnce<Values extends object>(
  build: (values: Values) => Compilable<unknown>,
  { durability }: { durability?: Durability } = {},
): (db: Queries, values: Values) => Promise<boolean> {
  const ask = once(build, durability)
  return async (db, values) => ((await ask(db, values)).numAffectedRows ?? 0n) > 0n
}
