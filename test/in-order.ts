/**
 * For `describe`: its tests are the parts of one story, and each continues where the one before has ended. They are not
 * shuffled. All other tests pass in any order.
 */
export const inOrder = { shuffle: false } as const
