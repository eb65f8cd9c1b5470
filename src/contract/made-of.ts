/**
 * A member of a row: the objects of further responses of which an adapter took single values. `include=native` shows
 * them with the objects that the row consists of.
 */
export const madeOf = Symbol('made of')
