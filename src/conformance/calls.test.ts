// The calls per 1 000 records in the documentation are the measured ones. Five seconds per platform: one is measured
// here, and all by `npm run nightly`.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { connectors } from '../platforms/registry.ts'

const root = join(import.meta.dirname, '../..')
const documented = JSON.parse(readFileSync(join(root, 'docs/generated/calls.json'), 'utf8')) as Record<string, unknown>
const run = promisify(execFile)
const measure = async (...platforms: string[]): Promise<Record<string, unknown>> =>
  JSON.parse((await run(process.execPath, [join(root, 'scripts/measure/calls.ts'), ...platforms])).stdout)

describe('calls per 1 000 records', () => {
  it('are documented for every platform, and for no other', () => {
    expect(Object.keys(documented)).toEqual(Object.keys(connectors))
  })
  it.each(['xero'])('are documented as measured for %s', async (platform) => {
    const measured = (await measure(platform))[platform]
    expect(documented[platform], `npm run docs -- --measure ${platform} stores the new figures`).toEqual(measured)
  })
  it('are not measured for a platform that does not exist', async () => {
    await expect(measure('no-such-platform')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown platform: no-such-platform. The platforms are square, '),
    })
  })
})
