// The response to the caller of a native call: the platform's status, some of its headers, and its body.
import type { Connector } from '../contract/connector.ts'
import type { Account } from '../store/store.ts'
import { headersForCaller, redacted, strikeSecrets } from './outbound/redaction.ts'
import type { RawResponse } from './outbound/retry.ts'

/** Stored in the journal under the key of a call that may write. */
export interface NativeAnswer {
  status: number
  headers: Record<string, string>
  /** JSON text: as the platform sent it, unless a secret was removed. */
  body: string
  encoding?: 'base64' | undefined // of bytes that are not text
}

export function nativeAnswer(
  { status, headers, body, encoding }: RawResponse,
  account: Account,
  connector: Connector,
): NativeAnswer {
  const strike = strikeSecrets(account, connector)
  return {
    status,
    headers: headersForCaller(headers, strike),
    body: encoding ? JSON.stringify(body) : shownBody(body, headers['content-type'] ?? '', strike),
    encoding,
  }
}

function shownBody(text: string, type: string, strike: (text: string) => string): string {
  if (text === '') return 'null'
  const parsed = /json/i.test(type) || /^\s*[[{]/.test(text) ? parse(text) : undefined
  if (parsed === undefined) return JSON.stringify(strike(text))
  const shown = redacted(parsed, strike)
  // Numbers keep every digit in the text of the platform.
  return shown === parsed ? text.trim() : JSON.stringify(shown)
}
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body of our response. `body` is put in as it is. */
export function nativeAnswerText({ status, headers, body, encoding }: NativeAnswer, more: object): string {
  const start = JSON.stringify({ status, headers, encoding, ...more }).slice(0, -1)
  return `${start},"body":${body}}`
}
