// Loaded before the service: one name leads to this machine, as an entry in its hosts file would.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const { lookup } = dns
const local = (name: string, ...rest: [never, never]) => lookup(name === process.env.LOCAL_NAME ? '127.0.0.1' : name, ...rest)
dns.lookup = local as typeof lookup
syncBuiltinESMExports()
