// Pages by key.
export interface Page<T> {
  data: T[]
  next?: string // the position after the last one, for `after`
}
export interface PageQuery {
  after?: string
  limit: number
}
