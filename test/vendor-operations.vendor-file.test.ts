// The operations, hosts and token endpoints of vendors that state no license: `npm run vendors` runs this test.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { connectors } from '../src/platforms/registry.ts'
import { exceptions } from './vendor-exceptions.ts'
import { excepted, type Specification, unspecified } from './vendor-operations.ts'

const folder = join(import.meta.dirname, '../.cache/vendor-digests')

it.each(['bigcommerce', 'clover', 'toast', 'zoho-books'])(
  'the files of %s have every call, host and token endpoint of the connector, or an exception has',
  (platform) => {
    const files = globSync(`${platform}/*.digest.json`, { cwd: folder }).map(
      (path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Specification,
    )
    expect(files.length).toBeGreaterThan(0)
    const own = exceptions[platform]
    expect(unspecified(connectors[platform]!, files, own)).toEqual(excepted(own))
  },
)
