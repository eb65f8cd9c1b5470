// Loaded before the service: resolves one name to this machine, as an entry in the hosts file would.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const { lookup } = dns
const local = (name: string, ...rest: [never, never]) =>
  lookup(name === process.env.LOCAL_NAME ? '127.0.0.1' : name, ...rest)
dns.lookup = local as typeof lookup
syncBuiltinESMExports()
