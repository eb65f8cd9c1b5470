/**
 * The feed has another holder, other watches, or is gone. A worker that gets this error has changed nothing: it stops
 * and forgets what it has read.
 */
export class LostFeed extends Error {
  override name = 'LostFeed'
}
