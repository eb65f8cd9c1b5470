// The parts that follow from a whole name.

/** True if first and last name, as far as there are any, make the name. */
export const isWholeName = (name: unknown, { firstName, lastName }: { firstName?: unknown; lastName?: unknown }) =>
  name === [firstName, lastName].filter((part) => part !== undefined).join(' ')
