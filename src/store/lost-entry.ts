/**
 * The write is no longer open for this holder: it was completed, removed or taken over. A caller that gets this error
 * must not send.
 */
export class LostEntry extends Error {
  override name = 'LostEntry'
}
