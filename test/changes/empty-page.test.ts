// The feed of a platform that answers an empty list with `{}`, as a broken proxy does.
import { expect, it, onTestFinished } from 'vitest'
import { createWatched } from './watched.ts'

const seldom = { pollSeconds: 100_000, walkHours: 1000 }
const vertical = 'restaurant'

it('walks and polls to the end although a page that a cursor led to is empty once', async () => {
  const watched = await createWatched('sqlite', { platform: 'square' })
  onTestFinished(() => watched.close())
  const { shift, customer } = watched.tenants.find((tenant) => tenant.vertical === vertical)!.records
  shift!.add(120)
  const empty = (path: string, skip = 1) =>
    watched.sandbox.fault('square', { kind: 'foreign_before', status: 200, body: {}, times: 1, path, skip })
  const allMet = () => watched.until('all faults', async () => watched.sandbox.faults('square').length === 0)

  empty('/scheduled-shifts/search')
  await watched.watch({ shift: seldom })
  const walked = await watched.walked(vertical, 'shift')
  await allMet()
  expect(walked.state.records).toBe(shift!.ids().length)

  await watched.watch({ customer: { ...seldom, pollSeconds: 10 } })
  await watched.walked(vertical, 'customer')
  empty('/customers/search')
  const added = customer!.add(150)
  await allMet()
  const created = await watched.until('all creates', async () => {
    const log = (await watched.log(vertical)).filter(({ entityType }) => entityType === 'customer')
    return log.length >= added.length && log
  })
  expect(created.map(({ operation, nativeId }) => `${operation} ${nativeId}`).sort()).toEqual(
    added.map((id) => `created ${id}`).sort(),
  )
})
