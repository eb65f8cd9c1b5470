// How a platform pages: declared once, used by all lists and searches of its entities.
import type { ListQuery, NativeRequest, Page, ReadCall } from '../contract/connector.ts'
import type { Pointer } from '../contract/entity.ts'
import { valueAt } from '../contract/pointer.ts'
import { list } from './fields.ts'

type Parameters = Readonly<Record<string, string | number | undefined>>
type Paged<Row, At, Query> = (call: ReadCall, query: Query, at?: At) => Promise<Page<Row, At>>

/**
 * A platform whose responses name the next page. `parameters` are those of a request; each list puts them into its query
 * or its body, and says where its rows are.
 */
export const cursorPages =
  ({ parameters, next }: { parameters(size: number, cursor: string | undefined): Parameters; next: Pointer }) =>
  <Row, Query extends { size: number } = ListQuery>(
    rows: Pointer | '',
    request: (page: Parameters, query: Query, call: ReadCall) => NativeRequest,
    total?: Pointer, // where the platform counts the rows of all pages
  ): Paged<Row, string, Query> =>
  async (call, query, cursor) => {
    const { body } = await call.read(request(parameters(query.size, cursor), query, call))
    return {
      rows: [...list(valueAt(body, rows) as Row[])],
      next: valueAt(body, next) as string | undefined,
      ...(total && { total: valueAt(body, total) as number | undefined }),
    }
  }
