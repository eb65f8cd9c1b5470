// Request ids start with their time and sort by it, so a table with this key needs no other index for "newest first".
import { drawRandomText } from './random.ts'

const prefix = 'req_'
const digits = 9 // of base 36: enough until the year 5188
const randomLength = 9

export const requestIdAt = (milliseconds: number): string =>
  prefix + Math.max(0, Math.floor(milliseconds)).toString(36).padStart(digits, '0')
export const createRequestId = (): string => requestIdAt(Date.now()) + drawRandomText(randomLength)
export const timeOfRequestId = (id: string): number =>
  Number.parseInt(id.slice(prefix.length, prefix.length + digits), 36)
