// The two parts of undici that the transport needs. The package itself also loads its fetch, its caches and its mocks:
// a tenth of the time that a start takes.
declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici'
}
declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici'
}
