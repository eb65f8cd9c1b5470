// Code that is loaded on demand. A chunk that fails to load is requested again.
// Browsers may cache a failed module URL (https://github.com/whatwg/html/pull/10327), so every retry uses a new URL.
import { type ComponentType, createElement, use } from 'react'
import { retryAfterSeconds, sleep } from '../../client/src/waiting.ts'
import { retryDelay } from './retry.ts'

/** A chunk did not load: the service is busy or unreachable. */
export class ChunkError extends Error {
  /** Makes the next render request the chunk again. */
  readonly forget: () => void
  constructor(forget: () => void) {
    super('Part of the dashboard could not be loaded')
    this.name = 'ChunkError'
    this.forget = forget
  }
}

/** Returns a function that creates components of a chunk; they share one copy. `load` is `() => import('…')`. */
export function chunk<T>(
  load: () => Promise<T>,
): <P extends object>(pick: (loaded: T) => ComponentType<P>) => ComponentType<P> {
  const [, specifier] = /\bimport\(["'`]([^"'`]+)["'`]\)/.exec(String(load)) ?? []
  if (specifier === undefined) throw new Error(`There is no import of a fixed address in ${load}`)
  const address = new URL(specifier, import.meta.url).href
  let requests = 0
  let loaded: Promise<T> | undefined
  const forget = () => {
    loaded = undefined
  }
  const loadAgain = async (): Promise<T> => {
    let retryAfter: number | undefined
    for (let failures = 0; ; failures++) {
      const delay = retryDelay(failures, retryAfter)
      if (delay === undefined) throw new ChunkError(forget)
      await sleep(delay)
      const fresh = `${address}?retry=${++requests}`
      // Fetched first, because `import()` does not expose the status. The browser then loads the module from its cache.
      const response = await fetch(fresh).catch(() => undefined)
      if (response?.status === 404 && reloadOnce()) return new Promise(() => {})
      retryAfter = response && retryAfterSeconds(response.headers)
      if (!response?.ok) continue
      await response.text().catch(() => '')
      const again = await import(/* @vite-ignore */ fresh).catch(() => undefined)
      if (again) return again as T
    }
  }
  return (pick) => (props) => {
    loaded ??= load().catch(loadAgain)
    return createElement(pick(use(loaded)), props)
  }
}

/**
 * The dashboard was updated and the files of this version are gone: the page loads the new version, at most every ten
 * seconds.
 */
function reloadOnce(): boolean {
  try {
    if (Date.now() - Number(sessionStorage.getItem('reloaded')) < 10_000) return false
    sessionStorage.setItem('reloaded', String(Date.now()))
  } catch {
    return false // without storage the reloads could repeat forever
  }
  location.reload()
  return true
}
