// What a check-up says about one thing, and how to right it.
import type { Invocation } from './command.ts'

export interface Finding {
  check: string
  level: 'ok' | 'skipped' | 'warning' | 'problem'
  message: string
  fix?: string
  unreachable?: true // the service is unreachable, or does not accept the credentials
}
export type Check = (invocation: Invocation) => AsyncIterable<Finding>

export const finding = (check: string, message: string): Finding => ({ check, level: 'ok', message })
/** A check that was not made. */
export const skipped = (check: string, message: string): Finding => ({ check, level: 'skipped', message })
export const problem = (check: string, message: string, fix: string): Finding => ({
  check,
  level: 'problem',
  message,
  fix,
})
export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  level: 'warning',
  message,
  fix,
})
