// The official conformance suite, in both revisions. Its scenarios are written for a reference server: those that call
// tools, prompts or resources of that server can only check the messages here, against the schema of the protocol.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { memoryFolder } from '../memory-folder.ts'
import { type Revision, revisions } from './client.ts'
import { createConformanceProxy } from './conformance-proxy.ts'

const program = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
/** Whole scenarios about what this service does not have. */
const notOffered = new RegExp(
  `^server-(${[
    'completion-.*',
    'logging-.*',
    'prompts-.*',
    'resources-.*',
    'tasks-.*',
    'elicitation-.*',
    'input-required-.*',
    'tools-call-.*', // tools of the reference server, as in the next two
    'json-schema-2020-12',
    'http-custom-header-server-validation',
  ].join('|')})-\\d{4}`,
)
/** Checks that need a tool, prompt or resource of the reference server, in scenarios that otherwise must pass. */
const notTestable = new Set([
  'sep-2575-server-rejects-undeclared-capability',
  'sep-2575-missing-capability-http-400',
  'sep-2575-http-server-no-independent-requests-on-stream',
  'sep-2575-server-no-log-without-loglevel',
  'sep-2549-prompts-list-caching-hints',
  'sep-2549-resources-list-caching-hints',
  'sep-2549-resources-templates-list-caching-hints',
])
const required: Record<Revision, string[]> = {
  '2025-11-25': ['initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'session-lifecycle'],
  '2026-07-28': ['stateless', 'tools-list', 'caching', 'http-header-validation', 'dns-rebinding-protection'],
}

interface Check {
  id: string
  status: string
  errorMessage?: string
}
let harness: Harness
let proxy: Awaited<ReturnType<typeof createConformanceProxy>>
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder, 'mcp-conformance-'))
  harness = await createHarness({ connectors, simulators, platform: 'square', ownDisk: true })
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'conformance' })).body
  proxy = await createConformanceProxy(harness.url, key)
})
afterAll(async () => {
  proxy.close()
  await harness.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(revision: Revision): Promise<Map<string, Check[]>> {
  const output = join(folder, revision)
  const child = spawn(
    process.execPath,
    [program, 'server', '--url', proxy.url, '--requirements', revision, '-o', output],
    { stdio: 'ignore' },
  )
  await new Promise((resolve) => child.once('close', resolve))
  const found = new Map<string, Check[]>()
  for (const name of await readdir(output))
    found.set(name, JSON.parse(await readFile(join(output, name, 'checks.json'), 'utf8')) as Check[])
  return found
}

it.concurrent.each(revisions)('conforms to %s', async (revision) => {
  const scenarios = await run(revision)
  const failed = [...scenarios].flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === 'FAILURE')
      .filter(({ id }) => id.startsWith('wire-schema') || !(notOffered.test(scenario) || notTestable.has(id)))
      .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`),
  )
  expect(failed).toEqual([])
  const passed = [...scenarios].filter(([, checks]) => checks.some(({ status }) => status === 'SUCCESS'))
  const names = passed.map(([name]) => name.replace(/^server-(server-)?/, '').replace(/-\d{4}-.*$/, ''))
  expect(names).toEqual(expect.arrayContaining(required[revision]))
})
