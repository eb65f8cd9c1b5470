/**
 * For `describe`: its tests are the parts of one story, and each continues where the one before has ended. They are not
 * shuffled. All other tests pass in any order. The types of `describe.each` lack this option.
 */
export const inOrder: object = { shuffle: false }
