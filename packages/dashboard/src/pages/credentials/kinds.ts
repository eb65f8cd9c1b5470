export type Kind = 'access-ids' | 'api-keys'

export const kinds = {
  'access-ids': {
    operations: {
      list: 'listAccessIds',
      create: 'createAccessId',
      change: 'changeAccessId',
      revoke: 'revokeAccessId',
      rotate: 'rotateAccessId',
    },
    word: 'access ID',
    about:
      'Exchange an access ID and its secret for short-lived access tokens (form B, OAuth client credentials). Rotating the secret invalidates all earlier tokens.',
    empty:
      'An access ID and its secret let a system request access tokens. Create one per system so that you can rotate or revoke each one separately.',
    revoked: 'Its secret and all its access tokens stop working immediately, on all instances.',
    rotated: 'The current secret and its access tokens stop working immediately.',
  },
  'api-keys': {
    operations: {
      list: 'listApiKeys',
      create: 'createApiKey',
      change: 'changeApiKey',
      revoke: 'revokeApiKey',
      rotate: 'rotateApiKey',
    },
    word: 'API key',
    about:
      'Send an API key with every request (form A). To replace a key, create a new one, switch over, and then revoke the old one.',
    empty:
      'An API key is all you need for your first request. Create one per system so that you can revoke each one separately.',
    revoked: 'Requests with this key fail immediately, on all instances.',
    rotated: 'The current key stops working immediately.',
  },
} as const
