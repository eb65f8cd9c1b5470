// Loaded before the service: one name leads to this machine, as an entry in its hosts file would.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name === process.env.LOCAL_NAME ? '127.0.0.1' : name, ...rest)
syncBuiltinESMExports()
