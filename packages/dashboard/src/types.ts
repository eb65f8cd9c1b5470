// Short names for the generated response types of the management API.
import { entityTypes as entities } from '../../client/src/generated/entity-types.ts'
import type {
  ClearFaultsAnswer,
  CreateApiKeyBody,
  CreateInvitationAnswer,
  CreateWebhookEndpointBody,
  GetAccountAnswer,
  GetAccountUsageAnswer,
  GetActivityAnswer,
  GetBrandingAnswer,
  GetErasureAnswer,
  GetMigrationAnswer,
  GetOpenWriteAnswer,
  GetOverviewAnswer,
  GetReferenceImportAnswer,
  GetSessionAnswer,
  GetWebhookEndpointAnswer,
  GetWorkspaceAnswer,
  GetWorkspaceSettingsAnswer,
  GetWorkspaceWatchesAnswer,
  ListActivityAnswer,
  ListApiKeysAnswer,
  ListAuditAnswer,
  ListInvitationsAnswer,
  ListLatestChangesAnswer,
  ListMappingKeysAnswer,
  ListMembersAnswer,
  ListMigrationsAnswer,
  ListOpenWritesAnswer,
  ListReferencesAnswer,
  ListSessionsAnswer,
  ListUsersAnswer,
  ListWebhookDeliveriesAnswer,
  PlanMigrationBody,
  ReadInvitationAnswer,
  SetWatchAnswer,
  SetWatchBody,
} from '../../client/src/generated/manage.ts'

export type EntityType = keyof typeof entities
export const entityTypes = Object.keys(entities) as readonly EntityType[]
export const isPerson = (entity: EntityType): boolean => entities[entity].isPerson
export const isReadOnly = (entity: EntityType): boolean => !entities[entity].writable

export interface Page<T> {
  data: T[]
  next?: string
}
export type Session = GetSessionAnswer
export type ListedSession = ListSessionsAnswer['data'][number]
export type Member = ListMembersAnswer['data'][number]
export type User = ListUsersAnswer['data'][number]
export type Invitation = ListInvitationsAnswer['data'][number]
export type NewInvitation = CreateInvitationAnswer
export type OpenInvitation = ReadInvitationAnswer
export type Workspace = GetWorkspaceAnswer
export type Credential = ListApiKeysAnswer['data'][number]
export type CredentialSettings = CreateApiKeyBody
export type Account = GetAccountAnswer
export type AccountUsage = GetAccountUsageAnswer
export type AccountState = Account['state']
export type Vertical = Account['vertical']
export type MappingKey = ListMappingKeysAnswer['data'][number]
export type Reference = ListReferencesAnswer['data'][number]
export type ReferenceImport = GetReferenceImportAnswer
export type Erasure = GetErasureAnswer
export type Activity = ListActivityAnswer['data'][number]
export type ActivityDetail = GetActivityAnswer
export type NativeCall = ActivityDetail['trace']['calls'][number]
export type Stage = ActivityDetail['trace']['stages'][number]
export type AuditEntry = ListAuditAnswer['data'][number]
export type OpenWrite = ListOpenWritesAnswer['data'][number]
export type OpenWriteDetail = GetOpenWriteAnswer
export type ListedMigration = ListMigrationsAnswer['data'][number]
export type Migration = GetMigrationAnswer
export type MigrationPlan = NonNullable<Migration['plan']>
export type MigrationReport = NonNullable<Migration['report']>
export type NewMigration = PlanMigrationBody
export type Overview = GetOverviewAnswer
export type PlatformSeries = Overview['platforms'][number]
export type FaultSwitches = ClearFaultsAnswer
export type Fault = FaultSwitches['platforms'][number]['faults'][number]
export type Intervals = SetWatchBody
export type Watch = SetWatchAnswer
export type Branding = GetBrandingAnswer
export type WorkspaceSettings = GetWorkspaceSettingsAnswer
export type WorkspaceWatches = GetWorkspaceWatchesAnswer
export type Change = ListLatestChangesAnswer['data'][number]
export type WebhookEndpoint = GetWebhookEndpointAnswer
export type WebhookSettings = CreateWebhookEndpointBody
export type Delivery = ListWebhookDeliveriesAnswer['data'][number]
export interface ErrorRow {
  code: string
  status: number
  title: string
  meaning: string
  remedy: string
}
