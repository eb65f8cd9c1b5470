// Short names for answers and bodies of the management API.
import { entityTypes as entities } from '../../client/src/generated/entity-types.ts'
import type { EntitySupport, PlatformSupport } from '../../client/src/generated/records.ts'
import type { ManageBody, ManageItem } from '../../client/src/manage-call.ts'
import type { Answer } from './manage.ts'

export type EntityType = keyof typeof entities
export const entityTypes = Object.keys(entities) as readonly EntityType[]
type Person = { [K in EntityType]: (typeof entities)[K]['isPerson'] extends true ? K : never }[EntityType]
export const isPerson = (entity: EntityType): entity is Person => entities[entity].isPerson
export const isReadOnly = (entity: EntityType): boolean => !entities[entity].writable

export interface Page<T> {
  data: T[]
  next?: string
}
export type Session = Answer<'getSession'>
export type ListedSession = ManageItem<'listSessions'>
export type Member = ManageItem<'listMembers'>
export type User = ManageItem<'listUsers'>
export type Invitation = ManageItem<'listInvitations'>
export type NewInvitation = Answer<'createInvitation'>
export type OpenInvitation = Answer<'readInvitation'>
export type Workspace = Answer<'getWorkspace'>
export type Credential = ManageItem<'listApiKeys'>
export type CredentialSettings = ManageBody<'createApiKey'>
export type Account = Answer<'getAccount'>
export type AccountUsage = Answer<'getAccountUsage'>
export type AccountState = Account['state']
export type Vertical = Account['vertical']
export type MappingKey = ManageItem<'listMappingKeys'>
export type Reference = ManageItem<'listReferences'>
export type ReferenceImport = Answer<'getReferenceImport'>
export type Erasure = Answer<'getErasure'>
export type Activity = ManageItem<'listActivity'>
export type ActivityDetail = Answer<'getActivity'>
export type NativeCall = ActivityDetail['trace']['calls'][number]
export type Stage = ActivityDetail['trace']['stages'][number]
export type AuditEntry = ManageItem<'listAudit'>
export type OpenWrite = ManageItem<'listOpenWrites'>
export type OpenWriteDetail = Answer<'getOpenWrite'>
export type ListedMigration = ManageItem<'listMigrations'>
export type Migration = Answer<'getMigration'>
export type MigrationPlan = NonNullable<Migration['plan']>
export type MigrationReport = NonNullable<Migration['report']>
export type NewMigration = ManageBody<'planMigration'>
export type Overview = Answer<'getOverview'>
export type PlatformSeries = Overview['platforms'][number]
export type FaultSwitches = Answer<'clearFaults'>
export type Fault = FaultSwitches['platforms'][number]['faults'][number]
export type Intervals = ManageBody<'setWatch'>
export type Watch = Answer<'setWatch'>
export type Branding = Answer<'getBranding'>
export type WorkspaceSettings = Answer<'getWorkspaceSettings'>
export type WorkspaceWatches = Answer<'getWorkspaceWatches'>
export type Change = ManageItem<'listLatestChanges'>
export type WebhookEndpoint = Answer<'getWebhookEndpoint'>
export type WebhookSettings = ManageBody<'createWebhookEndpoint'>
export type Delivery = ManageItem<'listWebhookDeliveries'>
/** As everyone may read it. */
export type Platform = Omit<PlatformSupport, 'verticals' | 'entities'> & {
  verticals: Vertical[]
  entities: Partial<Record<Vertical, Partial<Record<EntityType, EntitySupport>>>>
}
export interface ErrorRow {
  code: string
  status: number
  title: string
  meaning: string
  remedy: string
}
