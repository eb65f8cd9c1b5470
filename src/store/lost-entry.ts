/** The journal has no such open write any more for this holder: it was finished, removed or taken over. Whoever gets this must not send. */
export class LostEntry extends Error {
  override name = 'LostEntry'
}
