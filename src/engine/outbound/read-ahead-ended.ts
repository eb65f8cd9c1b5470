// Calls of a page that is read ahead must not affect a caller: they use only spare slots, are not repeated and renew no
// token. Where that is not enough, the page is not read ahead, and the request that asks for it reads it.
import { LoadAborted } from '../facts.ts'

/** A caller that waits for a fact which the page was loading loads it again. */
export class ReadAheadEnded extends LoadAborted {
  override name = 'ReadAheadEnded'
}
