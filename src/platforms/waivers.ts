// Conformance cases that a platform cannot pass: platform id -> `entity: case name` -> the platform's reason.
// The support page lists them, and a waiver that is no longer needed fails.
export const waivers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  square: {
    'payment: an empty object in the place of a later page, once or at every repetition, never ends a walk in silence':
      'each location has a list of its own, and Square returns an empty object for a location without payments',
  },
}
