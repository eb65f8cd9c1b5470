import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const shared = '/dev/shm'
/** Containers often have 64 MB; the databases of a whole run take about 1 GB. */
function hasRoom(): boolean {
  if (!existsSync(shared)) return false
  const { bavail, bsize } = statfsSync(shared)
  return bavail * bsize > 2 * 1024 ** 3
}

/** For databases of tests that do not test durability: no commit waits for the disk. Remove what you create in it. */
export const memoryFolder: string = hasRoom() ? shared : tmpdir()
