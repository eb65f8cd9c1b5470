// Components of the OpenAPI document that are not records: problems, warnings, paging, references, support.
import { errorTable, warningTable } from '../contract/errors.ts'

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const valueTable = (description: string) => ({
  type: 'object',
  description,
  additionalProperties: { type: 'array', items: { type: 'string' } },
})
export const rateLimitSchema = {
  type: 'array',
  items: {
    title: 'PlatformRateLimit',
    type: 'object',
    required: ['requests', 'seconds'],
    properties: {
      requests: { type: 'integer' },
      seconds: { type: 'number' },
      usable: {
        type: 'integer',
        description:
          'The requests that this service makes at most; the rest is for other integrations of the business that share the limit. Absent: all of them',
      },
    },
  },
}
export const concurrencySchema = {
  type: 'integer',
  description: 'Calls of the account that the platform allows at once; absent if it does not limit them',
} as const

export const dailyLimitSchema = {
  title: 'DailyLimit',
  type: 'object',
  description:
    'Calls of the business in the last 24 hours, from all accounts and instances of this service. Absent if the platform does not limit them',
  required: ['used'],
  properties: {
    limit: {
      type: 'integer',
      description: 'Absent if the plan of the business is unknown: calls are then not limited',
    },
    used: { type: 'integer' },
    remaining: {
      type: 'integer',
      description:
        'What new requests can still use. The last percent, and at least 10 calls, are reserved for writes that have begun',
    },
    resetsAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the oldest calls no longer count. Absent if none are counted',
    },
  },
}
export const nativeSupportSchema = {
  title: 'NativeSupport',
  type: 'object',
  description: 'For native calls',
  required: ['origin', 'settings'],
  properties: {
    origin: {
      type: 'string',
      description: 'What `path` of a native call is joined to. In `/platforms`, `{name}` is a setting of the account',
    },
    settings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Settings whose values `{name}` in `path` stands for',
    },
  },
}
export const dryRunSchema = {
  type: 'object',
  required: ['dryRun', 'steps', 'complete', 'references', 'missing', 'warnings', 'expectedWaitMs'],
  properties: {
    dryRun: { type: 'boolean' },
    steps: {
      type: 'array',
      items: {
        title: 'DryRunStep',
        type: 'object',
        required: ['name', 'request', 'recovery'],
        properties: { name: { type: 'string' }, request: { type: 'object' }, recovery: { type: 'string' } },
      },
    },
    complete: { type: 'boolean', description: 'False when later steps depend on responses of the platform' },
    references: {
      type: 'array',
      items: {
        title: 'ResolvedReference',
        type: 'object',
        required: ['pointer', 'sourceId', 'nativeId'],
        properties: { pointer: { type: 'string' }, sourceId: { type: 'string' }, nativeId: { type: 'string' } },
      },
    },
    missing: {
      type: 'array',
      items: {
        title: 'MissingField',
        type: 'object',
        required: ['pointer', 'message'],
        properties: { pointer: { type: 'string' }, message: { type: 'string' } },
      },
    },
    warnings: { type: 'array', items: ref('Warning') },
    expectedWaitMs: { type: 'integer' },
    data: { type: 'object', description: 'If the request would be a replay: the record of the stored response' },
    reference: ref('Reference'),
  },
}
export const sharedSchemas: Record<string, unknown> = {
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'URL of the error in the reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      code: { type: 'string', enum: Object.keys(errorTable) },
      requestId: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          title: 'Violation',
          type: 'object',
          required: ['pointer', 'message'],
          properties: {
            pointer: { type: 'string', description: 'JSON pointer into the body' },
            message: { type: 'string' },
            choices: {
              type: 'array',
              description: 'Valid values, if the platform reports them',
              items: {
                title: 'Choice',
                type: 'object',
                required: ['value', 'label'],
                properties: { value: { type: 'string' }, label: { type: 'string' } },
              },
            },
          },
        },
      },
      downstream: {
        title: 'DownstreamError',
        type: 'object',
        required: ['platform'],
        properties: {
          platform: { type: 'string' },
          status: { type: 'integer' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
      id: { type: 'string', description: "The platform's id of the record" },
      reference: {
        title: 'KnownReference',
        type: 'object',
        description:
          'With 404 `record_not_found`: the id in the path is your source id of this record. With 409 `possible_duplicate`: the write that has the same content. With 410 `content_erased`: the write whose content was erased',
        required: ['externalId'],
        properties: {
          externalId: { type: 'string', description: 'Your source id' },
          id: { type: 'string', description: "The platform's id: use it in the path. Absent while it is not known" },
          outcome: { type: 'string', description: 'With `possible_duplicate`: what became of that write' },
        },
      },
      data: {
        type: 'object',
        description: 'With 409 `possible_duplicate`: the record that was written, if that write is done',
      },
      externalId: { type: 'string', description: 'The idempotency key' },
      erasedAt: { type: 'string', format: 'date-time', description: 'With 410 `content_erased`' },
      reason: {
        type: 'string',
        enum: ['pruned', 'restored', 'epoch', 'stopped'],
        description:
          'With 410 `cursor_expired`. `pruned`: the changes are older than the service stores them. `restored`: the database was restored. `epoch`: the entity has new records, because of another business or a new watch. `stopped`: the entity is no longer watched',
      },
      entityTypes: {
        type: 'array',
        items: { type: 'string' },
        description: 'With `not_watched`, `cursor_expired` and `insufficient_scope`: the entities that it is about',
      },
      scope: { type: 'string', description: 'With `insufficient_scope`: the scope that the request needs' },
      limit: {
        type: 'string',
        enum: ['accounts', 'entities', 'hiddenFields'],
        description: 'With `insufficient_scope`: the limit of the credential that excludes the request',
      },
      progress: {
        type: 'object',
        description: 'With `not_ready`: how far the first walk of each entity is',
        additionalProperties: {
          title: 'WalkProgress',
          type: 'object',
          required: ['pages', 'records'],
          properties: { pages: { type: 'integer' }, records: { type: 'integer' } },
        },
      },
      differences: {
        type: 'array',
        items: {
          title: 'Difference',
          type: 'object',
          required: ['pointer'],
          properties: { pointer: { type: 'string' }, written: {}, asked: {} },
        },
      },
    },
  },
  Warning: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: Object.keys(warningTable) },
      pointer: { type: 'string' },
      id: { type: 'string' },
      message: { type: 'string' },
    },
  },
  Pagination: {
    type: 'object',
    required: ['hasMore'],
    properties: {
      cursor: { type: 'string', description: 'Opaque cursor of the next page; absent on the last page' },
      hasMore: { type: 'boolean' },
    },
  },
  Reference: {
    type: 'object',
    required: ['externalId', 'id', 'replayed'],
    properties: {
      externalId: {
        type: 'string',
        description: "Your source id, as in the body; the platform's id if a PUT names no known source id",
      },
      id: { type: 'string', description: "The platform's id of the record: what GET and PUT take in their path" },
      replayed: { type: 'boolean' },
    },
  },
  KeyStatus: {
    type: 'object',
    required: ['externalId', 'outcome'],
    properties: {
      externalId: { type: 'string', description: 'Your source id' },
      outcome: { type: 'string', enum: ['in_flight', 'done', 'unknown', 'partial', 'linked'] },
      id: { type: 'string', description: "The platform's id" },
    },
  },
  DryRun: dryRunSchema,
  EntitySupport: {
    type: 'object',
    required: [
      'read',
      'write',
      'update',
      'pageLimit',
      'updatedAfter',
      'requires',
      'requiresWhen',
      'values',
      'longest',
      'notStored',
      'derived',
      'search',
      'customPlaces',
    ],
    properties: {
      read: { type: 'boolean' },
      write: { type: 'boolean' },
      update: { type: 'boolean' },
      pageLimit: { type: 'integer' },
      updatedAfter: { type: 'string', enum: ['platform', 'service', 'none'] },
      stampPrecision: {
        type: 'string',
        enum: ['milliseconds', 'seconds'],
        description:
          "The precision of the platform's modification times. With `seconds`, all records of the second of `updatedAfter` are returned. Absent if there is no modification time",
      },
      details: {
        type: 'array',
        description:
          'Fields for which a list makes second calls. With `fields` it makes them only if one of these is selected. Absent if no field needs one',
        items: { type: 'string' },
      },
      requires: {
        type: 'array',
        description: 'Fields that a POST needs in any case; `/settings/x` is a setting of the account',
        items: { type: 'string' },
      },
      requiresWhen: {
        type: 'array',
        description: 'Fields that a POST needs under a condition',
        items: {
          title: 'Requirement',
          type: 'object',
          required: ['pointer', 'when'],
          properties: {
            pointer: { type: 'string' },
            when: { type: 'string', description: 'The whole condition in words; the other members are its parts' },
            without: { type: 'string', description: 'Required if this field or setting is not given' },
            with: { type: 'string', description: 'Required if this field is given' },
            is: valueTable('Required if each field has one of its values'),
            isNot: valueTable('Required unless a field has one of its values'),
            fact: { type: 'string', description: 'Required if this is the case at the platform' },
          },
        },
      },
      values: valueTable('The only values that the platform takes in a field'),
      longest: {
        type: 'object',
        description: 'The most characters that a field may have',
        additionalProperties: { type: 'integer' },
      },
      notStored: { type: 'array', items: { type: 'string' } },
      derived: {
        type: 'array',
        description: 'Fields that the platform may hold in another form; a write then returns a warning `derived`',
        items: { type: 'string' },
      },
      search: {
        title: 'SearchSupport',
        type: 'object',
        required: ['by', 'newestFirst'],
        properties: {
          by: {
            type: 'array',
            description: 'What `search` finds besides source ids and platform ids. Empty: the platform cannot search',
            items: { title: 'SearchField', type: 'string', enum: ['name', 'email', 'phone', 'sku', 'number'] },
          },
          newestFirst: { type: 'boolean', description: 'Whether the newest records come first' },
        },
      },
      customPlaces: {
        type: 'object',
        description:
          'Native fields that custom fields can write: pointer into the native record -> type. In `[key=*]`, `*` stands for any name. Custom fields with another pointer are read-only',
        additionalProperties: { type: 'string' },
      },
      custom: {
        type: 'object',
        description:
          "Of an account: the JSON Schema of `custom` in this entity's records, as the default mappings declare it. Absent if they declare no custom fields",
      },
    },
  },
  PlatformSupport: {
    type: 'object',
    required: ['platform', 'name', 'docs', 'apiVersion', 'verticals', 'rateLimit', 'native', 'entities'],
    properties: {
      platform: { type: 'string' },
      name: { type: 'string' },
      docs: { type: 'string' },
      apiVersion: {
        title: 'ApiVersion',
        type: 'object',
        required: ['name', 'reviewBy'],
        properties: {
          name: { type: 'string', description: "The version of the platform's API that the service uses" },
          reviewBy: {
            type: 'string',
            format: 'date',
            description: 'Upgrade the service by this day: the platform may end the version later',
          },
        },
      },
      verticals: { type: 'array', items: { type: 'string' } },
      rateLimit: rateLimitSchema,
      concurrency: concurrencySchema,
      dailyQuota: {
        title: 'DailyQuota',
        type: 'object',
        description:
          'Calls of a business that the platform allows in 24 hours; absent if it does not limit them. Either the same number for all businesses, or one for each plan',
        properties: {
          calls: { type: 'integer' },
          plans: { type: 'object', additionalProperties: { type: 'integer' } },
        },
      },
      native: nativeSupportSchema,
      entities: {
        type: 'object',
        additionalProperties: { type: 'object', additionalProperties: ref('EntitySupport') },
      },
    },
  },
}
