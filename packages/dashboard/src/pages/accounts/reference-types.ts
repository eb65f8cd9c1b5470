import { entityTypes } from '../../types.ts'

export const referenceTypes = [...entityTypes, 'location'] as const
