// Imports references in batches, as a job: the first instance that finds an unfinished import resumes it.
import { setImmediate as breathe } from 'node:timers/promises'
import { Type } from 'typebox'
import { entityTypes } from '../contract/entity.ts'
import { identifier, oneOf } from '../contract/field.ts'
import { createValidator } from '../contract/validation.ts'
import type { Work } from '../jobs/job.ts'
import type { NamedLease, NamedLeases } from '../jobs/named-lease.ts'
import type { Link, ReferenceImport, Store } from '../store/store.ts'
import { readLines, type SourceLine } from './reference-lines.ts'

export interface ReferenceImporter {
  begin(
    given: Pick<ReferenceImport, 'accountId' | 'id' | 'format' | 'entityType'> & { content: string },
    transaction: Store['transaction'],
  ): Promise<ReferenceImport>
}
const batch = 200
/** More than this instance works on: others may have the first ones. */
const looked = 20
const errorsKept = 100

const reference = createValidator(
  Type.Object(
    {
      entityType: oneOf(entityTypes, 'What it points at'),
      sourceId: identifier('Your own id'),
      nativeId: identifier("The platform's id"),
    },
    { additionalProperties: false },
  ),
)

interface HeldImport extends NamedLease {
  accountId: string
  id: string
}

export function createImportWork(store: Store, leases: NamedLeases): Work<HeldImport> {
  /** The links and the count are stored together, and only while the import belongs to this process. */
  async function step(held: HeldImport, done: ReferenceImport, lines: readonly SourceLine[]): Promise<ReferenceImport> {
    const links: Omit<Link, 'createdAt' | 'accountId'>[] = []
    const errors = [...done.errors]
    let failed = done.failed
    for (const { line, value } of lines) {
      const candidate =
        typeof value === 'object' && value !== null
          ? { ...(done.entityType ? { entityType: done.entityType } : {}), ...value }
          : value
      const violations =
        typeof candidate === 'string' ? [{ pointer: '', message: candidate }] : reference.violations(candidate)
      if (violations.length === 0)
        links.push({ ...(candidate as Pick<Link, 'entityType' | 'sourceId' | 'nativeId'>), origin: 'linked' })
      else {
        failed++
        if (errors.length < errorsKept)
          errors.push({
            line,
            message: violations.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`.trim()).join('; '),
          })
      }
    }
    const position = done.position + lines.length
    const next: ReferenceImport = {
      ...done,
      position,
      failed,
      errors,
      linked: done.linked + links.length,
      state: position >= done.total ? 'done' : 'running',
    }
    await held.commit(async (inner) => {
      await inner.links.putAll(done.accountId, links)
      await inner.referenceImports.advance(next)
    })
    return next
  }

  return {
    due: async () => (await store.referenceImports.running(looked)).map(({ accountId, id }) => `${accountId} ${id}`),
    async take(name, claim) {
      const [accountId = '', id = ''] = name.split(' ')
      const lease = await leases.take(`import ${id}`, claim)
      return lease && { ...lease, accountId, id }
    },
    renew: leases.renew,
    async work(held, turn) {
      const { accountId, id } = held
      const found = await store.referenceImports.get(accountId, id)
      if (found?.state !== 'running') return { dueInMs: 0 }
      const parsed = readLines(found.format, await store.referenceImports.content(accountId, id))
      if ('error' in parsed)
        await held.commit((inner) =>
          inner.referenceImports.advance({ ...found, state: 'failed', errors: [parsed.error] }),
        )
      else
        for (let done = found; done.state === 'running' && turn.mayGoOn(); await breathe())
          done = await step(held, done, parsed.lines.slice(done.position, done.position + batch))
      return { dueInMs: 0 }
    },
    release: leases.release,
    about: (name) => `the import of references ${name}`,
  }
}

/** `wake` looks for imports that were begun. */
export function createReferenceImporter(wake: () => void): ReferenceImporter {
  return {
    async begin({ content, ...given }, transaction) {
      const parsed = readLines(given.format, content)
      const total = 'error' in parsed ? 0 : parsed.lines.length
      const made = await transaction((inner) => inner.referenceImports.create({ ...given, content, total }))
      wake()
      return made
    },
  }
}
