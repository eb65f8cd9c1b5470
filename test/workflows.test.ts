// The workflows cannot run here. This finds what breaks them most often: a script or a part that was renamed.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Step {
  uses?: string
  run?: string
}
interface Workflow {
  permissions: Record<string, string>
  jobs: Record<
    string,
    { needs?: string; 'timeout-minutes'?: number; strategy?: { matrix: Record<string, string[]> }; steps: Step[] }
  >
}
const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((path) => ({
  path,
  workflow: parse(read(path)) as Workflow,
}))

/** What a workflow refers to and does not exist. */
function faultsOf({ permissions, jobs }: Workflow): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const nightly = read('scripts/check/nightly.ts')
  const faults = permissions?.contents === 'read' ? [] : ['permissions: contents must be read']
  for (const [name, { needs, strategy, steps }] of Object.entries(jobs)) {
    if (needs && !jobs[needs]) faults.push(`${name} needs ${needs}`)
    for (const part of strategy?.matrix.part ?? [])
      if (!new RegExp(`^ {2}${part}[:,]`, 'm').test(nightly)) faults.push(`nightly part ${part}`)
    for (const { uses, run = '' } of steps) {
      if (uses && !/^actions\/[a-z-]+@v\d+$/.test(uses)) faults.push(`action ${uses}`)
      for (const [, script = ''] of run.matchAll(/npm run ([\w:-]+)/g))
        if (!scripts[script]) faults.push(`script ${script}`)
      for (const [path] of run.matchAll(/(?:scripts|\.ci)\/[\w./-]+/g))
        if (globSync(path, { cwd: root }).length === 0) faults.push(`file ${path}`)
    }
  }
  return faults
}

it.each(workflows)('$path refers to nothing that does not exist', ({ workflow }) => {
  expect(faultsOf(workflow)).toEqual([])
})

it('runs the tests on both architectures, and the parts of the nightly run', () => {
  const jobsOf = (name: string) => workflows.find(({ path }) => path.endsWith(name))?.workflow.jobs ?? {}
  for (const jobs of [jobsOf('test.yml').test, jobsOf('release.yml').test, jobsOf('nightly.yml').part])
    expect(jobs?.strategy?.matrix.runner).toEqual(['ubuntu-24.04', 'ubuntu-24.04-arm'])
  expect(jobsOf('nightly.yml').part?.strategy?.matrix.part).toEqual(
    expect.arrayContaining(['chaos', 'fuzz', 'bench', 'tests']),
  )
})

it('gives both commands on every system, with the oldest Node.js that they need', () => {
  const jobs = workflows.find(({ path }) => path.endsWith('systems.yml'))?.workflow.jobs
  expect(jobs?.commands?.strategy?.matrix.runner).toEqual([
    'ubuntu-24.04',
    'ubuntu-24.04-arm',
    'macos-15',
    'windows-2025',
  ])
  expect(jobs?.commands?.steps.map(({ run }) => run)).toEqual(
    expect.arrayContaining(['node scripts/check/start-check.mjs', 'npm test']),
  )
  expect(jobs?.commands?.steps).toContainEqual(expect.objectContaining({ with: { 'node-version': '20' } }))
  expect(read('README.md')).toContain('You need Node.js 20 or later and npm')
})

it('notices a script, a part, a job and an action that do not exist', () => {
  const steps = [{ run: 'npm run nothing && node scripts/gone.ts' }, { uses: 'someone/action@main' }]
  const planted = { permissions: {}, jobs: { a: { needs: 'b', strategy: { matrix: { part: ['gone'] } }, steps } } }
  expect(faultsOf(planted)).toEqual([
    'permissions: contents must be read',
    'a needs b',
    'nightly part gone',
    'script nothing',
    'file scripts/gone.ts',
    'action someone/action@main',
  ])
})
