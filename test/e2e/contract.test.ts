// The commands in docs/contract.md, run in order against the service, with the responses that the page shows.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../in-order.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/contract.md'), 'utf8')
const examples = [
  ...page.matchAll(/^## (.+)\n(?:(?!^## )[\s\S])*?^```sh\n([\s\S]*?)^```\n\n```json\n([\s\S]*?)^```$/gm),
].map(([, title = '', commands = '', responses = '']) => ({ title, commands, responses }))

const [, variables = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? []

let folder: string
let service: ServiceHere
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unified-records-contract-'))
  service = await openServiceHere({ DATA_DIR: folder }, ['square'])
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (commands: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = {
      ...process.env,
      UNIREC_URL: service.url,
      UNIREC_API_KEY: service.sandboxFile().apiKey,
    }
    const script = `curl() { command curl "$@" && echo; }\n${variables}${commands}`
    execFile('sh', ['-e', '-c', script], { env }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    )
  })
const parsed = (lines: string): unknown[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
/** `<platform id>` is any text. */
const shown = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('<')
    ? expect.any(String)
    : Array.isArray(value)
      ? value.map(shown)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shown(inner)]))
        : value

it('has examples of ids, references, mappings and custom fields', () => {
  expect(examples.map(({ title }) => title)).toEqual(['Whose id', 'References', 'Mappings', 'Custom fields'])
})

describe('the commands', inOrder, () => {
  it.each(examples)(
    'the example of "$title" gets the responses that the page shows',
    { tags: ['curl'] },
    async ({ commands, responses }) => {
      expect(parsed(await run(commands))).toMatchObject(parsed(responses).map(shown) as object[])
    },
  )
})
