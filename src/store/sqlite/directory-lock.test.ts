import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockDirectory } from './directory-lock.ts'

it('allows one process per directory, and no other user can read its files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'unified-records-lock-'))
  const before = process.umask(0o022)
  try {
    const lock = lockDirectory(directory)
    const modes = readdirSync(directory).map((name) => [name, statSync(join(directory, name)).mode & 0o777])
    expect(modes.length).toBeGreaterThan(0)
    expect(modes).toEqual(modes.map(([name]) => [name, 0o600]))
    expect(() => lockDirectory(directory)).toThrow('another process uses')
    lock.release()
    lockDirectory(directory).release()
  } finally {
    process.umask(before)
    rmSync(directory, { recursive: true })
  }
})
