/**
 * The webhook endpoint has another holder, other settings, or is gone. A worker that gets this error has changed
 * nothing: it stops.
 */
export class LostEndpoint extends Error {
  override name = 'LostEndpoint'
}
