import type { ReadCall } from '../contract/connector.ts'
import { Problem } from '../contract/errors.ts'

/** The merchant that the platform reports. Rejects credentials of another merchant than the account's own. */
export function sameMerchant(call: ReadCall, platform: string, reported: string | undefined): string | undefined {
  const { merchantId } = call.account.settings
  if (merchantId !== undefined && reported !== undefined && merchantId !== reported)
    throw new Problem(
      'validation_failed',
      `This account belongs to a different business at ${platform}. Sign in there as that business and try again.`,
      { errors: [{ pointer: '/credentials', message: `belong to a different business at ${platform}` }] },
    )
  return reported
}
