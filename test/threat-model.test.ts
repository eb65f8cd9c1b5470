import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it.each(['docs/threat-model.md', 'SECURITY.md'])('%s names only tests and pages that are there', (page) => {
  const file = join(import.meta.dirname, '..', page)
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link as string).filter((link) => !link.includes('://'))
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !existsSync(join(file, '..', link)))).toEqual([])
})
