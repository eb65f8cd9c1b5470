// Imports references in batches. After a restart the first instance that finds an unfinished import resumes it.
import { randomUUID } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { Type } from 'typebox'
import { entityTypes } from '../contract/entity.ts'
import { identifier, oneOf } from '../contract/field.ts'
import { createValidator } from '../contract/validation.ts'
import type { Link, ReferenceImport, Store } from '../store/store.ts'
import { readLines, type SourceLine } from './reference-lines.ts'

export interface ReferenceImporter {
  begin(
    given: Pick<ReferenceImport, 'accountId' | 'id' | 'format' | 'entityType'> & { content: string },
    transaction: Store['transaction'],
  ): Promise<ReferenceImport>
  /** Resumes imports that no instance works on; resolves when they are done. */
  resume(): Promise<void>
  /** Stops after the current batch. */
  close(): Promise<void>
}
const batch = 200
const leaseMs = 30_000
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

export function createReferenceImporter(store: Store, onError: (error: unknown) => void): ReferenceImporter {
  const holder = randomUUID()
  const running = new Map<string, Promise<void>>()
  let closing = false

  async function work(accountId: string, id: string): Promise<void> {
    const name = `import ${id}`
    if (!(await store.leases.acquire(name, holder, leaseMs))) return
    try {
      const found = await store.referenceImports.get(accountId, id)
      if (found?.state !== 'running') return
      const parsed = readLines(found.format, await store.referenceImports.content(accountId, id))
      if ('error' in parsed)
        return await store.referenceImports.advance({ ...found, state: 'failed', errors: [parsed.error] })
      for (let done = found; done.state === 'running' && !closing; await breathe()) {
        done = await step(done, parsed.lines.slice(done.position, done.position + batch))
        await store.leases.acquire(name, holder, leaseMs)
      }
    } finally {
      await store.leases.release(name, holder).catch(() => undefined)
    }
  }

  /** Repeating a batch changes nothing, so the links come first and the count after them. */
  async function step(done: ReferenceImport, lines: readonly SourceLine[]): Promise<ReferenceImport> {
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
    await store.links.putAll(done.accountId, links)
    const position = done.position + lines.length
    const next: ReferenceImport = {
      ...done,
      position,
      failed,
      errors,
      linked: done.linked + links.length,
      state: position >= done.total ? 'done' : 'running',
    }
    await store.referenceImports.advance(next)
    return next
  }

  function start(accountId: string, id: string): Promise<void> {
    let job = running.get(id)
    if (!job) {
      job = work(accountId, id)
        .catch(onError)
        .finally(() => running.delete(id))
      running.set(id, job)
    }
    return job
  }

  return {
    async begin({ content, ...given }, transaction) {
      const parsed = readLines(given.format, content)
      const total = 'error' in parsed ? 0 : parsed.lines.length
      const made = await transaction((inner) => inner.referenceImports.create({ ...given, content, total }))
      void start(made.accountId, made.id)
      return made
    },
    async resume() {
      for (const { accountId, id } of await store.referenceImports.running(20)) if (!closing) await start(accountId, id)
    },
    async close() {
      closing = true
      await Promise.all(running.values())
    },
  }
}
