/**
 * A Map of at most `limit` entries: a new key evicts the one that was set longest ago. Reading a key does not renew it.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number

  constructor(limit: number) {
    super()
    this.#limit = limit
  }
  override set(key: Key, value: Value): this {
    if (!this.delete(key) && this.size >= this.#limit) this.delete(this.keys().next().value as Key)
    return super.set(key, value)
  }
}
