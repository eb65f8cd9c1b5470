import type { Config } from './config.ts'
import type { Connector } from './contract/connector.ts'

/** An operator may have agreed on more with a platform, or want to leave some of it to others. */
export function withLimits(
  connectors: Readonly<Record<string, Connector>>,
  limits: Config['platformLimits'] = {},
): Readonly<Record<string, Connector>> {
  const unknown = Object.keys(limits).find((platform) => !connectors[platform])
  if (unknown !== undefined)
    throw new Error(
      `PLATFORM_LIMITS names the unknown platform "${unknown}". The platforms are ${Object.keys(connectors).sort().join(', ')}`,
    )
  // No prototype: callers name platforms, and "constructor" is none.
  const limited = Object.entries(limits).map(([platform, rates]) => {
    const { limit, dailyLimit, ...connector } = connectors[platform] as Connector
    const [daily, windows] = [true, false].map((isDaily) =>
      rates.filter(({ seconds }) => (seconds === 86_400) === isDaily),
    )
    return [
      platform,
      {
        ...connector,
        limit: windows?.length ? windows : limit,
        dailyLimit: daily?.[0] ? { ...dailyLimit, calls: daily[0].requests } : dailyLimit,
      },
    ]
  })
  return Object.assign(Object.create(null), connectors, Object.fromEntries(limited))
}
