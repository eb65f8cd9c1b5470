// Which addresses a platform call may reach. Hosts come out of account settings, so a name may resolve to any address:
// the address of each connection is checked.
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** An address that must not be called. Nothing was sent. */
export class EgressRefused extends Error {
  readonly code = 'EGRESS_REFUSED'
  constructor(host: string) {
    super(`${host} leads to an address that this service does not call`)
    this.name = 'EgressRefused'
  }
}
export interface Egress {
  /** Throws EgressRefused for another scheme or port, and for a host that is itself a forbidden address. */
  check(url: URL): void
  /** Resolves to permitted addresses only. */
  lookup: LookupFunction
  /**
   * Resolves a name that a proxy will resolve again. Rejects if any of its addresses is forbidden: which one the proxy
   * uses is not known. If it cannot be resolved, rejects with the error of the system.
   */
  verify(hostname: string): Promise<void>
  /** Whether an open connection to this address of the host may be used. */
  permits(hostname: string, address: string | undefined): boolean
}
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** Addresses that IANA's special-purpose registries do not list as globally reachable, and multicast. */
const closed4 = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT; some clouds have their metadata service there
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, metadata services
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed4.addSubnet(net, prefix, 'ipv4')
/**
 * Of IPv6 only global unicast is open, so everything that is local by any name is closed; and of that, what carries an
 * IPv4 address inside or is set apart.
 */
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
const closed6 = new BlockList()
for (const [net, prefix] of [
  ['2001::', 23], // Teredo, ORCHID and other protocol assignments
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4
  ['3fff::', 20],
] as const)
  closed6.addSubnet(net, prefix, 'ipv6')

/**
 * The IPv4 address that a mapped or translated (NAT64) IPv6 address represents: on a network with NAT64 every IPv4 host
 * has such an address.
 */
function embedded4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? []
  if (high === undefined || low === undefined) return undefined
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
  return bytes.join('.')
}

/** True for an address of the open internet. */
export function isPublic(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (isIP(bare) === 4) return !closed4.check(bare, 'ipv4')
  if (isIP(bare) !== 6) return false
  const inner = embedded4(bare)
  if (inner !== undefined) return !closed4.check(inner, 'ipv4')
  return open6.check(bare, 'ipv6') && !closed6.check(bare, 'ipv6')
}

/** `allowedHosts` are the operator's exceptions: `host` or `host:port`, https only. */
export function createEgress({
  allowedHosts = [],
  resolve = systemLookup,
}: {
  allowedHosts?: readonly string[]
  resolve?: Resolve
} = {}): Egress {
  const excepted = new Map<string, Set<string>>()
  for (const entry of allowedHosts) {
    const { hostname, port } = new URL(`https://${entry}`)
    excepted.set(hostname, (excepted.get(hostname) ?? new Set()).add(port))
  }
  const permits = (hostname: string, address: string | undefined) =>
    address !== undefined && (excepted.has(hostname) || isPublic(address))
  return {
    permits,
    check({ protocol, hostname, port, host }) {
      const rightPort = port === '' || excepted.get(hostname)?.has(port)
      // The parser has already turned decimal, octal and hexadecimal spellings into plain addresses. A name that ends
      // in a dot is the same name to DNS, but not to the list.
      const literal = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
      if (protocol !== 'https:' || !rightPort || hostname.endsWith('.') || (literal && !permits(hostname, hostname)))
        throw new EgressRefused(host)
    },
    verify(hostname) {
      if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return Promise.resolve() // `check` has seen it
      return new Promise((resolved, reject) => {
        resolve(hostname, { all: true }, (error, found) => {
          if (error) reject(error)
          else if (found.length > 0 && found.every(({ address }) => permits(hostname, address))) resolved()
          else reject(new EgressRefused(hostname))
        })
      })
    },
    lookup(hostname, options, done) {
      resolve(hostname, { ...options, all: true }, (error, found) => {
        if (error) return done(error, '')
        const good = found.filter(({ address }) => permits(hostname, address))
        const [first] = good
        if (!first) return done(new EgressRefused(hostname), '')
        if (options.all) done(null, good)
        else done(null, first.address, first.family)
      })
    },
  }
}
