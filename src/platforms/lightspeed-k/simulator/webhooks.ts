// The staff API's webhooks, one per location and topic. They are not signed, and Lightspeed publishes no retries.
// https://api-docs.lsk.lightspeed.app/operation/operation-staff-apicreatewebhook
import { randomUUID } from 'node:crypto'
import type { RecordChange } from '../../../sandbox/collection.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Webhooks, WireRequest, WireResponse } from '../../../sandbox/simulator.ts'
import { shownShift } from './staff.ts'
import { bodyOf, type FieldError, ok, refuse, springError } from './wire.ts'
import { isoSeconds, type Shift, type StaffWebhook, type World } from './world.ts'

const topics: readonly string[] = ['shift.created', 'shift.updated', 'shift.deleted']

export function sendShifts(webhooks: Webhooks | undefined, world: World): void {
  webhooks?.onChange((change) => {
    if (change.collection !== 'shifts') return
    const notificationType = topicOf(change)
    const data = shownShift(world, (change.record ?? change.before) as Shift)
    for (const { url } of world.staffWebhooks.filter((one) => one.notificationType === notificationType))
      webhooks.send({
        url,
        headers: { 'content-type': 'application/json', 'x-lightspeed-idempotency-key': randomUUID() },
        body: JSON.stringify({ notificationType, data }),
      })
  })
}
const topicOf = ({ record, before }: RecordChange): string =>
  record === undefined ? 'shift.deleted' : before === undefined ? 'shift.created' : 'shift.updated'

function checked(world: World, request: WireRequest, known?: StaffWebhook): StaffWebhook | WireResponse {
  const { notificationType, url, webhookName } = bodyOf(request)
  const errors: FieldError[] = []
  if (!topics.includes(String(notificationType))) errors.push({ field: 'notificationType', message: 'must be a topic' })
  if (typeof url !== 'string' || !URL.canParse(url)) errors.push({ field: 'url', message: 'must be a valid URL' })
  if (typeof webhookName !== 'string' || !webhookName)
    errors.push({ field: 'webhookName', message: 'must not be blank' })
  if (errors.length > 0) return springError(400, 'Bad request. Invalid input parameters.', request.path, errors)
  const twin = world.staffWebhooks.find((one) => one.notificationType === notificationType && one.url === url)
  if (twin && twin.uuid !== known?.uuid)
    return springError(409, 'Conflict. A webhook with the specified details already exists.', request.path)
  const at = isoSeconds(world.tick())
  return {
    uuid: known?.uuid ?? randomUUID(),
    notificationType: String(notificationType),
    url: String(url),
    webhookName: String(webhookName),
    businessLocationId: world.locationId,
    createdAt: known?.createdAt ?? at,
    updatedAt: at,
  }
}
function store(world: World, webhook: StaffWebhook | WireResponse): WireResponse {
  return 'uuid' in webhook ? ok(world.staffWebhooks.set(webhook.uuid, webhook)) : webhook
}
const found = (world: World, id: string, path: string): StaffWebhook =>
  world.staffWebhooks.get(id) ?? refuse(springError(404, 'Not found. The specified webhook ID does not exist.', path))
const checkLocation = (world: World, id: string, path: string): void => {
  if (id !== String(world.locationId)) refuse(springError(403, 'Access Denied', path))
}

export const webhookRoutes: Routes<World> = {
  'GET /staff/v1/businessLocations/:location/webhooks': ({ request, params: { location = '' }, context: world }) => {
    checkLocation(world, location, request.path)
    return ok(world.staffWebhooks.values())
  },
  'POST /staff/v1/businessLocations/:location/webhooks': ({ request, params: { location = '' }, context: world }) => {
    checkLocation(world, location, request.path)
    return store(world, checked(world, request))
  },
  'PATCH /staff/v1/businessLocations/:location/webhooks/:id': ({
    request,
    params: { location = '', id = '' },
    context: world,
  }) => {
    checkLocation(world, location, request.path)
    return store(world, checked(world, request, found(world, id, request.path)))
  },
  'DELETE /staff/v1/businessLocations/:location/webhooks/:id': ({
    request,
    params: { location = '', id = '' },
    context: world,
  }) => {
    checkLocation(world, location, request.path)
    world.staffWebhooks.delete(found(world, id, request.path).uuid)
    return { status: 200 }
  },
}
