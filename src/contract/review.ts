// Vendors end versions of their API without notice. How long the version that is used is known to last.
import type { Connector } from './connector.ts'

/** From this many days before, operators are warned. */
export const reviewNoticeDays = 120

export const daysToReview = ({ reviewBy }: Connector['apiVersion'], now = Date.now()): number =>
  Math.floor((Date.parse(`${reviewBy}T00:00:00Z`) - now) / 86_400_000)
