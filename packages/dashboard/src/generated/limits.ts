// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.

export const logIn = {
  user: { maxLength: 200 },
  password: { maxLength: 1000 },
} as const

export const readInvitation = {
  token: { maxLength: 200 },
} as const

export const acceptInvitation = {
  token: { maxLength: 200 },
  user: { maxLength: 200 },
  password: { maxLength: 1000 },
} as const

export const beginSso = {
  invitation: { maxLength: 200 },
} as const

export const finishSso = {
  query: { maxLength: 8000 },
} as const

export const changePassword = {
  currentPassword: { maxLength: 1000 },
  newPassword: { maxLength: 1000 },
} as const

export const createInvitation = {
  name: { maxLength: 200 },
  days: { min: 1, max: 30 },
} as const

export const createWorkspace = {
  name: { maxLength: 200 },
} as const

export const changeWorkspace = {
  name: { maxLength: 200 },
} as const

export const createAccessId = {
  name: { maxLength: 200 },
} as const

export const changeAccessId = {
  name: { maxLength: 200 },
} as const

export const createApiKey = {
  name: { maxLength: 200 },
} as const

export const changeApiKey = {
  name: { maxLength: 200 },
} as const

export const connectAccount = {
  name: { maxLength: 200 },
} as const

export const changeAccount = {
  name: { maxLength: 200 },
} as const

export const createMapping = {
  name: { maxLength: 200 },
} as const

export const changeMapping = {
  name: { maxLength: 200 },
} as const

export const createSharedMapping = {
  name: { maxLength: 200 },
} as const

export const changeSharedMapping = {
  name: { maxLength: 200 },
} as const

export const linkReference = {
  sourceId: { maxLength: 512 },
  nativeId: { maxLength: 512 },
} as const

export const callPlatform = {
  path: { maxLength: 2000 },
  externalId: { maxLength: 255 },
} as const

export const planMigration = {
  from: { maxLength: 512 },
  to: { maxLength: 512 },
  location: { maxLength: 512 },
  prefix: { maxLength: 100 },
} as const

export const erasePerson = {
  id: { maxLength: 512 },
} as const

export const confirmWrite = {
  nativeId: { maxLength: 512 },
} as const

export const setWatch = {
  pollSeconds: { min: 30, max: 86400 },
  walkHours: { min: 1, max: 168 },
} as const

export const createWebhookEndpoint = {
  url: { maxLength: 2000 },
  description: { maxLength: 500 },
  concurrency: { min: 1, max: 32 },
  perSecond: { min: 0, max: 1000 },
} as const

export const changeWebhookEndpoint = {
  url: { maxLength: 2000 },
  description: { maxLength: 500 },
  concurrency: { min: 1, max: 32 },
  perSecond: { min: 0, max: 1000 },
} as const

export const replayWebhooks = {
  from: { min: 1 },
} as const

export const setApplicationHookSecret = {
  secret: { maxLength: 1000 },
} as const

export const setHookSecret = {
  secret: { maxLength: 1000 },
} as const

export const setBranding = {
  name: { maxLength: 100 },
  logo: { maxLength: 90000 },
  color: { maxLength: 7 },
  privacyUrl: { maxLength: 2000 },
  purpose: { maxLength: 300 },
} as const

export const setWorkspaceSettings = {
  activityDays: { min: 1 },
} as const

export const createConnectLink = {
  accountName: { maxLength: 200 },
  returnUrl: { maxLength: 2000 },
  popupOrigin: { maxLength: 300 },
  purpose: { maxLength: 300 },
  state: { maxLength: 500 },
  expiresInMinutes: { min: 1, max: 10080 },
} as const

export const putPlatformApp = {
  clientId: { maxLength: 1000 },
  clientSecret: { maxLength: 4000 },
} as const

export const addFault = {
  method: { maxLength: 10 },
  path: { maxLength: 200 },
  times: { min: 0, max: 1000000 },
  skip: { min: 0, max: 1000000 },
  probability: { min: 0, max: 1 },
  delayMs: { min: 0, max: 120000 },
} as const
