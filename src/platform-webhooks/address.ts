// Where a platform sends its webhooks.
import { randomBytes } from 'node:crypto'
import type { StoredHook } from '../store/platform-webhooks.ts'

/** 192 bits: for a platform that does not sign, the URL is all that protects the endpoint. */
export const createHookId = (): string => randomBytes(24).toString('base64url')
export const isHookId = (text: string): boolean => /^[\w-]{32}$/.test(text)
export const hookUrl = (base: string, { platform, id }: Pick<StoredHook, 'platform' | 'id'>): string =>
  `${base}/hooks/${platform}/${id}`
