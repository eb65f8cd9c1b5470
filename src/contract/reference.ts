// The reference that a write leaves at the platform, where a lookup can find it. Where a platform needs a value that a
// record leaves out, it can be seen there.
export const referencePrefix = 'ur'
export const isReference = (value: unknown): boolean => typeof value === 'string' && /^ur[A-Za-z0-9]{14}$/.test(value)
