export type Kind = 'access-ids' | 'api-keys'

export const kinds: Readonly<Record<Kind, { word: string; about: string; empty: string; revoked: string }>> = {
  'access-ids': {
    word: 'access id',
    about:
      'An access id and its secret are exchanged for short-lived access tokens (form B, OAuth client credentials). Rotating the secret ends every token made with the old one.',
    empty: 'An access id with its secret lets one of your systems fetch access tokens. Create one per system, so that each can be rotated and revoked on its own.',
    revoked: 'Its secret and every access token made with it stop working at once, on all instances.',
  },
  'api-keys': {
    word: 'API key',
    about: 'An API key is sent as it is with every request (form A): the quickest way to a first call. To replace a key, create a new one, switch over, then revoke the old one.',
    empty: 'An API key is all that a first call needs. Create one per system, so that each can be revoked on its own.',
    revoked: 'Requests with this key are refused at once, on all instances.',
  },
}
