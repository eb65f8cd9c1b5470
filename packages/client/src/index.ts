// The public surface of @unified-records/client.
export { createClient } from './client.ts'
export { type ErrorCode, UnifiedError } from './error.ts'
export type * from './generated/records.ts'
export type * from './types.ts'
export * from './webhooks.ts'
