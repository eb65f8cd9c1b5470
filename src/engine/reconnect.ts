import type { Connector } from '../contract/connector.ts'
import { sentence } from '../contract/errors.ts'

/** The text for callers when an account must be authorized again. */
export const reconnectDetail = ({ name }: Pick<Connector, 'name'>, reason = ''): string =>
  [`The connection to ${name} must be authorized again.`, reason && sentence(reason), 'Connect the account again.']
    .filter(Boolean)
    .join(' ')
