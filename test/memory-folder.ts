import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** For databases of tests that do not test durability: no commit waits for the disk. Remove what you create in it. */
export const memoryFolder: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
