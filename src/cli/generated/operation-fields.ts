// Generated from the OpenAPI document by `npm run docs`; edit the code of the service instead.

export interface OperationField {
  at: 'query' | 'body'
  type: 'text' | 'number' | 'boolean' | 'list' | 'object'
  about?: string
  choices?: readonly string[]
  least?: number
  most?: number
}

/** Query and body of the operations that have some. */
export const operationFields: Readonly<Record<string, Readonly<Record<string, OperationField>>>> = {
  logIn: {
    user: {"at":"body","type":"text"},
    password: {"at":"body","type":"text"},
    cookie: {"at":"body","type":"boolean"},
  },
  listSessions: {
    all: {"at":"query","type":"text","about":"true: of all users, for installation admins"},
  },
  readInvitation: {
    token: {"at":"body","type":"text","about":"What follows # in the link"},
  },
  acceptInvitation: {
    token: {"at":"body","type":"text","about":"What follows # in the link"},
    user: {"at":"body","type":"text","about":"To join a workspace"},
    password: {"at":"body","type":"text","about":"10 to 1000 characters"},
    cookie: {"at":"body","type":"boolean"},
  },
  beginSso: {
    invitation: {"at":"body","type":"text","about":"Secret of an invitation to use"},
  },
  finishSso: {
    query: {"at":"body","type":"text","about":"Query of the address that the provider redirected to"},
  },
  changePassword: {
    currentPassword: {"at":"body","type":"text"},
    newPassword: {"at":"body","type":"text"},
  },
  setMember: {
    role: {"at":"body","type":"text","about":"viewer reads; operator also changes records, accounts and webhooks; admin everything","choices":["viewer","operator","admin"]},
  },
  changeUser: {
    isAdmin: {"at":"body","type":"boolean"},
  },
  createInvitation: {
    name: {"at":"body","type":"text","about":"Name or email address"},
    role: {"at":"body","type":"text","about":"viewer reads; operator also changes records, accounts and webhooks; admin everything","choices":["viewer","operator","admin"]},
    days: {"at":"body","type":"number","about":"How long the link works; 7 days by default","least":1,"most":30},
  },
  createWorkspace: {
    unique: {"at":"query","type":"text","about":"true: nothing is created if there is a workspace with this name already; the response is 409 already_exists"},
    name: {"at":"body","type":"text"},
    test: {"at":"body","type":"boolean","about":"true: a test workspace. Its accounts may only be in test environments of platforms, or in the sandbox"},
  },
  changeWorkspace: {
    name: {"at":"body","type":"text"},
    test: {"at":"body","type":"boolean","about":"true: a test workspace. Its accounts may only be in test environments of platforms, or in the sandbox"},
  },
  deleteWorkspace: {
    name: {"at":"query","type":"text","about":"The name of the workspace, as a confirmation"},
    force: {"at":"query","type":"text","about":"true: also while writes are open, whose outcome at the platform then stays unknown"},
  },
  createAccessId: {
    unique: {"at":"query","type":"text","about":"true: nothing is created if there is an access id with this name already; the response is 409 already_exists"},
    name: {"at":"body","type":"text"},
    scopes: {"at":"body","type":"list","about":"What the credential may be used for; by default records:read, records:write, changes"},
    accounts: {"at":"body","type":"list","about":"Only these accounts; by default all"},
    entities: {"at":"body","type":"list","about":"Only these entities; by default all"},
    hiddenFields: {"at":"body","type":"list","about":"Fields of records that responses leave out, such as email or phone, at any depth"},
    expiresAt: {"at":"body","type":"text","about":"By default it does not expire"},
  },
  changeAccessId: {
    name: {"at":"body","type":"text"},
    scopes: {"at":"body","type":"list","about":"What the credential may be used for; by default records:read, records:write, changes"},
    accounts: {"at":"body","type":"list","about":"Only these accounts; by default all"},
    entities: {"at":"body","type":"list","about":"Only these entities; by default all"},
    hiddenFields: {"at":"body","type":"list","about":"Fields of records that responses leave out, such as email or phone, at any depth"},
    expiresAt: {"at":"body","type":"text","about":"By default it does not expire"},
  },
  createApiKey: {
    unique: {"at":"query","type":"text","about":"true: nothing is created if there is an API key with this name already; the response is 409 already_exists"},
    name: {"at":"body","type":"text"},
    scopes: {"at":"body","type":"list","about":"What the credential may be used for; by default records:read, records:write, changes"},
    accounts: {"at":"body","type":"list","about":"Only these accounts; by default all"},
    entities: {"at":"body","type":"list","about":"Only these entities; by default all"},
    hiddenFields: {"at":"body","type":"list","about":"Fields of records that responses leave out, such as email or phone, at any depth"},
    expiresAt: {"at":"body","type":"text","about":"By default it does not expire"},
  },
  changeApiKey: {
    name: {"at":"body","type":"text"},
    scopes: {"at":"body","type":"list","about":"What the credential may be used for; by default records:read, records:write, changes"},
    accounts: {"at":"body","type":"list","about":"Only these accounts; by default all"},
    entities: {"at":"body","type":"list","about":"Only these entities; by default all"},
    hiddenFields: {"at":"body","type":"list","about":"Fields of records that responses leave out, such as email or phone, at any depth"},
    expiresAt: {"at":"body","type":"text","about":"By default it does not expire"},
  },
  listAccounts: {
    search: {"at":"query","type":"text","about":"Accounts with this text in their id or name"},
    platform: {"at":"query","type":"text","about":"Accounts of this platform"},
    state: {"at":"query","type":"text","about":"Accounts in this state: active, disabled, reconnect_required"},
  },
  connectAccount: {
    test: {"at":"query","type":"text","about":"true by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. false stores them untested"},
    id: {"at":"body","type":"text","about":"Letters, digits, dot, dash and underscore"},
    platform: {"at":"body","type":"text"},
    vertical: {"at":"body","type":"text","about":"Vertical of the account; decides its entity types and fields","choices":["restaurant","retail_pos","accounting"]},
    name: {"at":"body","type":"text"},
    auth: {"at":"body","type":"text","about":"Authentication method of the platform; by default the first that fits the credentials"},
    settings: {"at":"body","type":"object","about":"Account-specific values and defaults"},
    credentials: {"at":"body","type":"object","about":"Credentials of the platform; encrypted and never shown again"},
  },
  changeAccount: {
    test: {"at":"query","type":"text","about":"true by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. false stores them untested"},
    name: {"at":"body","type":"text"},
    settings: {"at":"body","type":"object","about":"Replaces all settings"},
  },
  reconnectAccount: {
    test: {"at":"query","type":"text","about":"true by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. false stores them untested"},
    credentials: {"at":"body","type":"object","about":"Credentials of the platform"},
    auth: {"at":"body","type":"text"},
  },
  createMapping: {
    unique: {"at":"query","type":"text","about":"true: nothing is created if there is a mapping of the same owner, entity type and direction with this name already; the response is 409 already_exists"},
    entityType: {"at":"body","type":"text","about":"Unified entity type","choices":["product","order","customer","category","employee","time_entry","shift","location","payment","refund","tax_rate","payment_method"]},
    direction: {"at":"body","type":"text","about":"Direction of the mapping","choices":["read","write"]},
    name: {"at":"body","type":"text"},
    rules: {"at":"body","type":"object","about":"Unified pointer -> rule. /custom/<name> declares a custom field"},
  },
  changeMapping: {
    name: {"at":"body","type":"text"},
    rules: {"at":"body","type":"object","about":"Unified pointer -> rule. /custom/<name> declares a custom field"},
  },
  createSharedMapping: {
    unique: {"at":"query","type":"text","about":"true: nothing is created if there is a mapping of the same owner, entity type and direction with this name already; the response is 409 already_exists"},
    entityType: {"at":"body","type":"text","about":"Unified entity type","choices":["product","order","customer","category","employee","time_entry","shift","location","payment","refund","tax_rate","payment_method"]},
    direction: {"at":"body","type":"text","about":"Direction of the mapping","choices":["read","write"]},
    name: {"at":"body","type":"text"},
    rules: {"at":"body","type":"object","about":"Unified pointer -> rule. /custom/<name> declares a custom field"},
    platform: {"at":"body","type":"text","about":"By default all platforms of the workspace"},
  },
  changeSharedMapping: {
    name: {"at":"body","type":"text"},
    rules: {"at":"body","type":"object","about":"Unified pointer -> rule. /custom/<name> declares a custom field"},
  },
  setMappingDefault: {
    mappingId: {"at":"body","type":"text","about":"Id of a mapping, or built-in: then nothing is inherited"},
  },
  setSharedMappingDefault: {
    platform: {"at":"query","type":"text","about":"The default of this platform; by default of the whole workspace"},
    mappingId: {"at":"body","type":"text","about":"Id of a mapping, or built-in: then nothing is inherited"},
  },
  clearSharedMappingDefault: {
    platform: {"at":"query","type":"text","about":"The default of this platform; by default of the whole workspace"},
  },
  createMappingKey: {
    mappingId: {"at":"body","type":"text"},
  },
  listReferences: {
    entityType: {"at":"query","type":"text","about":"References of this entity type"},
    search: {"at":"query","type":"text","about":"Start of a source id or platform id"},
  },
  linkReference: {
    entityType: {"at":"body","type":"text","about":"Entity type of the reference","choices":["product","order","customer","category","employee","time_entry","shift","location","payment","refund","tax_rate","payment_method"]},
    sourceId: {"at":"body","type":"text","about":"Your id"},
    nativeId: {"at":"body","type":"text","about":"Platform id"},
  },
  previewMapping: {
    entityType: {"at":"body","type":"text","about":"Unified entity type","choices":["product","order","customer","category","employee","time_entry","shift","location","payment","refund","tax_rate","payment_method"]},
    direction: {"at":"body","type":"text","about":"Direction of the mapping","choices":["read","write"]},
    rules: {"at":"body","type":"text","about":"Unified pointer -> rule"},
    native: {"at":"body","type":"text","about":"For reads: a native row from an explorer response"},
    recordId: {"at":"body","type":"text","about":"For reads, instead of native: the platform id"},
    record: {"at":"body","type":"text","about":"For writes: the caller's record"},
  },
  exploreRecords: {
    mappingKey: {"at":"query","type":"text","about":"A read mapping key of the account; by default the default mapping"},
    pageSize: {"at":"query","type":"text","about":"Records per page, 20 by default"},
    cursor: {"at":"query","type":"text","about":"cursor of the previous page"},
    updatedAfter: {"at":"query","type":"text","about":"Records changed after this time"},
    search: {"at":"query","type":"text","about":"Source id, platform id, or what the platform can search for: name, email, phone, SKU, number"},
  },
  writeRecord: {
    record: {"at":"body","type":"text","about":"A unified record"},
    mappingKey: {"at":"body","type":"text","about":"A write mapping key of the account"},
    onUnknown: {"at":"body","type":"text","choices":["resend"]},
  },
  exploreRecord: {
    mappingKey: {"at":"query","type":"text","about":"A read mapping key of the account; by default the default mapping"},
    include: {"at":"query","type":"text","about":"native: also the parts of responses that the row was made of"},
  },
  replaceRecord: {
    record: {"at":"body","type":"text","about":"A unified record"},
    mappingKey: {"at":"body","type":"text","about":"A write mapping key of the account"},
    ifMatch: {"at":"body","type":"text","about":"Expected version of the record"},
  },
  traceFields: {
    native: {"at":"body","type":"text","about":"A native row from an explorer response"},
    mappingKey: {"at":"body","type":"text"},
  },
  validateRecord: {
    record: {"at":"body","type":"text","about":"A unified record"},
    mappingKey: {"at":"body","type":"text","about":"A write mapping key of the account"},
    id: {"at":"body","type":"text","about":"Platform id of the record to replace; absent for a new record"},
  },
  planRecord: {
    record: {"at":"body","type":"text","about":"A unified record"},
    mappingKey: {"at":"body","type":"text","about":"A write mapping key of the account"},
    id: {"at":"body","type":"text","about":"Platform id of the record to replace; absent for a new record"},
  },
  callPlatform: {
    method: {"at":"body","type":"text","choices":["GET","POST","PUT","PATCH","DELETE"]},
    path: {"at":"body","type":"text","about":"A path of the platform's API without host and query, such as /v2/locations. {name} is replaced with a setting of the account; native.settings of GET /unified/{accountId} lists their names"},
    query: {"at":"body","type":"object","about":"Query parameters. An array is sent as one parameter per entry"},
    headers: {"at":"body","type":"object","about":"Request headers: accept, accept-language, content-type, idempotency-key, if-match, if-modified-since, if-none-match, if-unmodified-since, prefer"},
    body: {"at":"body","type":"text","about":"Sent as JSON. A string is sent as it is, with the content-type in headers"},
    externalId: {"at":"body","type":"text","about":"Required for POST, PUT, PATCH and DELETE: the idempotency key. The call is sent once; the same request gets the stored response"},
  },
  planMigration: {
    from: {"at":"body","type":"text","about":"Account to read"},
    to: {"at":"body","type":"text","about":"Account to write"},
    entities: {"at":"body","type":"list","about":"By default all that both accounts support, without payments"},
    ordersSince: {"at":"body","type":"text","about":"Skip older orders"},
    orderStates: {"at":"body","type":"list","about":"Only orders in these states"},
    location: {"at":"body","type":"text","about":"Linked location of the target for all orders; by default the linked or the only one"},
    prefix: {"at":"body","type":"text","about":"Before the source ids, if several sources go to one target"},
    defaults: {"at":"body","type":"object","about":"Values for fields that the target requires and the source lacks: {\"customer\":{\"/address/country\":\"US\"}}"},
    link: {"at":"body","type":"boolean","about":"Match records that the target does not let you write by code or name, and link them"},
  },
  runMigration: {
    update: {"at":"body","type":"boolean","about":"Replace records that changed at the source after they were written"},
    resendUnknown: {"at":"body","type":"boolean","about":"Resend records whose outcome the platform cannot report; this can create duplicates"},
  },
  importReferences: {
    entityType: {"at":"query","type":"text","about":"Default entity type for lines without one"},
  },
  erasePerson: {
    entityType: {"at":"body","type":"text","about":"What the person is at the platform","choices":["customer","employee"]},
    id: {"at":"body","type":"text","about":"The platform's id of the person"},
    plan: {"at":"body","type":"boolean","about":"true: count, and erase nothing"},
  },
  listActivity: {
    accountId: {"at":"query","type":"text","about":"Requests of this account"},
    credentialId: {"at":"query","type":"text","about":"Requests of this API key, access id or user"},
    platform: {"at":"query","type":"text","about":"Requests to this platform"},
    status: {"at":"query","type":"text","about":"ok, error, 4xx, 5xx or an error code"},
    entityType: {"at":"query","type":"text","about":"Requests for this entity type"},
    record: {"at":"query","type":"text","about":"Requests for this record, by platform id or externalId; combine with accountId and entityType"},
    since: {"at":"query","type":"text","about":"At or after this time"},
    until: {"at":"query","type":"text","about":"Before this time"},
    search: {"at":"query","type":"text","about":"Start of a request id, an externalId, a platform id, an account id, or a part of the text of an error. With a text or credentialId, a page may be short or empty and still have next"},
  },
  exportActivity: {
    format: {"at":"query","type":"text","about":"ndjson (by default) or csv"},
    accountId: {"at":"query","type":"text","about":"Requests of this account"},
    credentialId: {"at":"query","type":"text","about":"Requests of this API key, access id or user"},
    platform: {"at":"query","type":"text","about":"Requests to this platform"},
    status: {"at":"query","type":"text","about":"ok, error, 4xx, 5xx or an error code"},
    entityType: {"at":"query","type":"text","about":"Requests for this entity type"},
    record: {"at":"query","type":"text","about":"Requests for this record, by platform id or externalId; combine with accountId and entityType"},
    since: {"at":"query","type":"text","about":"At or after this time"},
    until: {"at":"query","type":"text","about":"Before this time"},
    search: {"at":"query","type":"text","about":"Start of a request id, an externalId, a platform id, an account id, or a part of the text of an error. With a text or credentialId, a page may be short or empty and still have next"},
  },
  listOpenWrites: {
    accountId: {"at":"query","type":"text","about":"Writes of this account"},
    state: {"at":"query","type":"text","about":"in_progress, unknown, partial; all by default"},
    externalId: {"at":"query","type":"text","about":"Writes with this externalId, or updates of the record with this platform id"},
  },
  confirmWrite: {
    nativeId: {"at":"body","type":"text","about":"Platform id of the record; none of a native call"},
  },
  listAudit: {
    scope: {"at":"query","type":"text","about":"Workspace id, or install for actions without a workspace; install by default"},
    action: {"at":"query","type":"text","about":"Entries with this operationId"},
    actor: {"at":"query","type":"text","about":"Entries of this user or credential"},
    address: {"at":"query","type":"text","about":"Entries from this IP address"},
    outcome: {"at":"query","type":"text","about":"Entries with this outcome: ok, started, error for all errors, or an error code"},
    since: {"at":"query","type":"text","about":"At or after this time"},
    until: {"at":"query","type":"text","about":"Before this time"},
    search: {"at":"query","type":"text","about":"A part of an actor, an action, an address, a request id or the target, in any case"},
  },
  exportAudit: {
    format: {"at":"query","type":"text","about":"ndjson (by default) or csv"},
    scope: {"at":"query","type":"text","about":"Workspace id, or install for actions without a workspace; all scopes by default"},
    action: {"at":"query","type":"text","about":"Entries with this operationId"},
    actor: {"at":"query","type":"text","about":"Entries of this user or credential"},
    address: {"at":"query","type":"text","about":"Entries from this IP address"},
    outcome: {"at":"query","type":"text","about":"Entries with this outcome: ok, started, error for all errors, or an error code"},
    since: {"at":"query","type":"text","about":"At or after this time"},
    until: {"at":"query","type":"text","about":"Before this time"},
    search: {"at":"query","type":"text","about":"A part of an actor, an action, an address, a request id or the target, in any case"},
  },
  verifyAudit: {
    scope: {"at":"query","type":"text","about":"Workspace id, or install; all scopes by default"},
  },
  listWorkspaceAudit: {
    action: {"at":"query","type":"text","about":"Entries with this operationId"},
    actor: {"at":"query","type":"text","about":"Entries of this user or credential"},
    address: {"at":"query","type":"text","about":"Entries from this IP address"},
    outcome: {"at":"query","type":"text","about":"Entries with this outcome: ok, started, error for all errors, or an error code"},
    since: {"at":"query","type":"text","about":"At or after this time"},
    until: {"at":"query","type":"text","about":"Before this time"},
    search: {"at":"query","type":"text","about":"A part of an actor, an action, an address, a request id or the target, in any case"},
  },
  exportWorkspaceAudit: {
    format: {"at":"query","type":"text","about":"ndjson (by default) or csv"},
    action: {"at":"query","type":"text","about":"Entries with this operationId"},
    actor: {"at":"query","type":"text","about":"Entries of this user or credential"},
    address: {"at":"query","type":"text","about":"Entries from this IP address"},
    outcome: {"at":"query","type":"text","about":"Entries with this outcome: ok, started, error for all errors, or an error code"},
    since: {"at":"query","type":"text","about":"At or after this time"},
    until: {"at":"query","type":"text","about":"Before this time"},
    search: {"at":"query","type":"text","about":"A part of an actor, an action, an address, a request id or the target, in any case"},
  },
  setWorkspaceWatches: {
    entities: {"at":"body","type":"object"},
    keepRecords: {"at":"body","type":"boolean","about":"true by default: changes contain the record, which is encrypted"},
  },
  setWatch: {
    pollSeconds: {"at":"body","type":"number","about":"Shortest time between two incremental reads, 300 by default; they use at most a tenth of the limit","least":30,"most":86400},
    walkHours: {"at":"body","type":"number","about":"Shortest time between two full reads: 24 by default, 1 if the platform cannot filter by modification time","least":1,"most":168},
  },
  stopWatch: {
    reset: {"at":"query","type":"text","about":"true: removes the setting of the account, so that the default of the workspace applies again"},
  },
  createWebhookEndpoint: {
    unique: {"at":"query","type":"text","about":"true: nothing is created if there is a webhook endpoint with this URL already; the response is 409 already_exists"},
    url: {"at":"body","type":"text","about":"Receives the events by POST; https, in the sandbox also http on localhost"},
    description: {"at":"body","type":"text","about":"What the receiver is; empty: none"},
    events: {"at":"body","type":"list","about":"Types of events: product.updated, product.*, account.*, write.settled, or * for all"},
    accounts: {"at":"body","type":"list","about":"Only events of these accounts; by default, and with an empty list, of all"},
    data: {"at":"body","type":"text","about":"full by default, with the record; thin has its ids only","choices":["full","thin"]},
    format: {"at":"body","type":"text","about":"standard by default; cloudevents sends a CloudEvents 1.0 body","choices":["standard","cloudevents"]},
    coalesce: {"at":"body","type":"boolean","about":"true: a newer event of a record replaces one that was not attempted yet; false by default"},
    concurrency: {"at":"body","type":"number","about":"Attempts at the same time, 8 by default","least":1,"most":32},
    perSecond: {"at":"body","type":"number","about":"At most this many attempts per second; by default, and with 0, no limit","least":0,"most":1000},
  },
  changeWebhookEndpoint: {
    url: {"at":"body","type":"text","about":"Receives the events by POST; https, in the sandbox also http on localhost"},
    description: {"at":"body","type":"text","about":"What the receiver is; empty: none"},
    events: {"at":"body","type":"list","about":"Types of events: product.updated, product.*, account.*, write.settled, or * for all"},
    accounts: {"at":"body","type":"list","about":"Only events of these accounts; by default, and with an empty list, of all"},
    data: {"at":"body","type":"text","about":"full by default, with the record; thin has its ids only","choices":["full","thin"]},
    format: {"at":"body","type":"text","about":"standard by default; cloudevents sends a CloudEvents 1.0 body","choices":["standard","cloudevents"]},
    coalesce: {"at":"body","type":"boolean","about":"true: a newer event of a record replaces one that was not attempted yet; false by default"},
    concurrency: {"at":"body","type":"number","about":"Attempts at the same time, 8 by default","least":1,"most":32},
    perSecond: {"at":"body","type":"number","about":"At most this many attempts per second; by default, and with 0, no limit","least":0,"most":1000},
  },
  replayWebhooks: {
    accountId: {"at":"body","type":"text"},
    from: {"at":"body","type":"number","about":"The first sequence in the feed of the account","least":1},
    since: {"at":"body","type":"text"},
  },
  listWebhookDeliveries: {
    state: {"at":"query","type":"text","about":"One of waiting, delivered, failed, superseded"},
    type: {"at":"query","type":"text","about":"Only events of this type, or family, such as order.*"},
    accountId: {"at":"query","type":"text","about":"Only changes of this account"},
    externalId: {"at":"query","type":"text","about":"Only changes of the record with this id on the platform; needs accountId"},
    sequence: {"at":"query","type":"text","about":"Only the change with this sequence; needs accountId"},
  },
  setApplicationHookSecret: {
    secret: {"at":"body","type":"text"},
  },
  setHookSecret: {
    secret: {"at":"body","type":"text"},
  },
  listLatestChanges: {
    entityType: {"at":"query","type":"text","about":"Changes of this entity type"},
    since: {"at":"query","type":"text","about":"Changes after this sequence; 0 for all. With it, Prefer: wait=SECONDS waits for a change"},
  },
  getOverview: {
    since: {"at":"query","type":"text","about":"Start of the period; by default a day ago"},
    until: {"at":"query","type":"text","about":"End of the period; by default now"},
    step: {"at":"query","type":"text","about":"Minutes per point: 1, 5, 15, 60, 360, 1440; by default chosen to fit the period"},
  },
  setBranding: {
    name: {"at":"body","type":"text","about":"By default the name of the workspace"},
    logo: {"at":"body","type":"text","about":"PNG, JPEG or WebP image of at most 64 KiB, as a data URL: data:image/png;base64,…"},
    color: {"at":"body","type":"text","about":"Of buttons, such as #1f5fd0; needs a contrast of at least 4.5 with white text"},
    privacyUrl: {"at":"body","type":"text","about":"Your privacy policy: https, or http on localhost"},
    purpose: {"at":"body","type":"text","about":"Why customers are asked to connect; shown as written, in every language"},
  },
  setWorkspaceSettings: {
    returnUrls: {"at":"body","type":"list","about":"Connect links may only return to these addresses and below them; a popup must have the origin of one. Empty: every valid URL is allowed"},
    entityTypes: {"at":"body","type":"list","about":"Entity types that the workspace uses: connect links ask for their permissions. By default product, order, customer, category, employee, time_entry, shift, location. Accounts that were connected before keep what they were granted"},
    activityDays: {"at":"body","type":"number","about":"Keep activity for fewer days than the installation does","least":1},
  },
  createConnectLink: {
    platforms: {"at":"body","type":"list","about":"Limits the link to these platforms; by default all that can be connected"},
    vertical: {"at":"body","type":"text","about":"Limits the link to this vertical","choices":["restaurant","retail_pos","accounting"]},
    accountId: {"at":"body","type":"text","about":"Account to reconnect; keeps its references and mappings"},
    accountName: {"at":"body","type":"text","about":"Name of the new account"},
    newAccountId: {"at":"body","type":"text","about":"Id of the new account"},
    returnUrl: {"at":"body","type":"text","about":"The customer is redirected here with a signed result"},
    manage: {"at":"body","type":"boolean","about":"Opens a page where the customer sees, reconnects and ends the connection of accountId"},
    popupOrigin: {"at":"body","type":"text","about":"Origin of the page that opens the link in a popup; only this page gets the result"},
    purpose: {"at":"body","type":"text","about":"Why the customer is asked to connect; by default that of the branding"},
    state: {"at":"body","type":"text","about":"Returned with the result"},
    expiresInMinutes: {"at":"body","type":"number","about":"Default 60, at most 7 days","least":1,"most":10080},
  },
  putPlatformApp: {
    clientId: {"at":"body","type":"text"},
    clientSecret: {"at":"body","type":"text"},
    settings: {"at":"body","type":"object","about":"Settings shared by all accounts of this application, such as hosts or a region; connect forms do not ask for them"},
  },
  addFault: {
    platform: {"at":"body","type":"text"},
    kind: {"at":"body","type":"text","about":"One of kinds"},
    method: {"at":"body","type":"text","about":"Matches calls with this method"},
    path: {"at":"body","type":"text","about":"Matches calls whose path contains this text"},
    times: {"at":"body","type":"number","about":"Number of calls; forever if absent","least":0,"most":1000000},
    skip: {"at":"body","type":"number","about":"Number of matching calls to let through first","least":0,"most":1000000},
    probability: {"at":"body","type":"number","about":"Probability per matching call; 1 if absent","least":0,"most":1},
    delayMs: {"at":"body","type":"number","about":"For kinds with a delay","least":0,"most":120000},
  },
  clearFaults: {
    platform: {"at":"query","type":"text","about":"Faults of this platform; by default of all platforms"},
  },
}
