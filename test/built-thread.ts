// A thread as the service starts it: from the build, which loads in a third of the time of the sources.
import { join } from 'node:path'

export const builtThread = (name: 'activity' | 'journal' | 'reader'): string =>
  join(import.meta.dirname, `../dist/threads/${name}-worker.mjs`)
