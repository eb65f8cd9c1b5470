// Queries of every request: building and compiling one costs more than running it, so that is done once, with marks in the place of the values.
import type { Compilable, CompiledQuery } from 'kysely'
import type { Queries } from './schema.ts'

class Mark {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
const marks = new Proxy({}, { get: (_, name) => new Mark(String(name)) })

/** `build` must put every value that changes into the query as it is, and decide nothing by it. */
export function compiledOnce<Values extends object, Row>(build: (values: Values) => Compilable<Row>): (db: Queries, values: Values) => Promise<Row | undefined> {
  let compiled: CompiledQuery<Row> | undefined
  return async (db, values) => {
    compiled ??= build(marks as Values).compile()
    const parameters = compiled.parameters.map((given) => (given instanceof Mark ? values[given.name as keyof Values] : given))
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows[0]
  }
}
