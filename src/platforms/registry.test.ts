// The service, the sandbox and the docs use the registry: its entries must be complete.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectors } from './registry.ts'
import { simulators } from './simulators.ts'
import { waivers } from './waivers.ts'

// Of Zoho's 100 calls in 60 s, a tenth is left to other integrations.
const limits = ['1/1', '5/1', '5/1 300/60', '10/1 90/60', '90/60', '1/10', '5/6']

it('has exactly one simulator for every connector', () => {
  expect(Object.keys(simulators).toSorted()).toEqual(Object.keys(connectors).toSorted())
})
it('waives nothing for a platform that does not exist', () => {
  expect(Object.keys(waivers).filter((platform) => !connectors[platform])).toEqual([])
})

describe.each(Object.values(connectors))('$id', (connector) => {
  const folder = join(import.meta.dirname, connector.id)
  it('runs the conformance suite and has a README of traps', () => {
    const tests = globSync('*.test.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
    expect(tests.some((text) => /^conformance\(/m.test(text))).toBe(true)
    expect(existsSync(join(folder, 'README.md'))).toBe(true)
  })
  it('has one of the seven limits', () => {
    expect(limits).toContain(connector.limit.map(({ requests, seconds }) => `${requests}/${seconds}`).join(' '))
  })
  it('names the version of the API, and the day of its next review', () => {
    const { name, reviewBy } = connector.apiVersion
    expect(name).toMatch(/\S/)
    expect(new Date(`${reviewBy}T00:00:00Z`).toISOString().slice(0, 10)).toBe(reviewBy)
  })
  it('has only https hosts, and can read back what it writes', () => {
    for (const origin of Object.values(connector.origins)) expect(origin).toMatch(/^(https:\/\/|\{)/)
    for (const adapter of Object.values(connector.entities))
      if (adapter.create || adapter.update) expect(adapter.get).toBeTypeOf('function')
  })
})
