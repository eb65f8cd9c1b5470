// How the pages for customers present a workspace: its name, logo and color, and why it asks.

import { isLocalHost } from '../base/local-host.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import type { Branding, Store } from '../store/store.ts'
import { existingWorkspace } from './lookup.ts'

/** Images that can contain no script, each with the bytes that it begins with. */
const images: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff',
  'image/webp': (bytes) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
}
const mostBytes = 65_536
const leastContrast = 4.5

function logoFault(logo: string): string | undefined {
  const [, type = '', content = ''] = /^data:([a-z/+-]+);base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo) ?? []
  const begins = images[type]
  const bytes = Buffer.from(content, 'base64')
  if (!begins?.(bytes))
    return 'must be a PNG, JPEG or WebP image as a data URL: data:image/png;base64,… SVG is not accepted'
  return bytes.length > mostBytes ? `must be at most 64 KiB; it is ${Math.ceil(bytes.length / 1024)} KiB` : undefined
}

/** Of white text on the color, as WCAG 2.2 defines it. */
function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}
function colorFault(color: string): string | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return 'must be a color such as #1f5fd0'
  const contrast = contrastWithWhite(color)
  return contrast < leastContrast
    ? `must have a contrast of at least 4.5 with white text; it has ${(Math.floor(contrast * 100) / 100).toFixed(2)}. Choose a darker color`
    : undefined
}

function urlFault(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const local = url?.protocol === 'http:' && isLocalHost(url.hostname)
  return !url || (url.protocol !== 'https:' && !local) || url.username || url.password
    ? 'must be an https URL (http only on localhost)'
    : undefined
}

/** Replaces all of it. */
export async function setBranding(store: Store, workspaceId: string, branding: Branding): Promise<Branding> {
  const { id } = await existingWorkspace(store, workspaceId)
  const { logo, color, privacyUrl } = branding
  const faults = {
    '/logo': logo === undefined ? undefined : logoFault(logo),
    '/color': color === undefined ? undefined : colorFault(color),
    '/privacyUrl': privacyUrl === undefined ? undefined : urlFault(privacyUrl),
  }
  const errors = Object.entries(faults).flatMap(([pointer, message]): Violation[] =>
    message === undefined ? [] : [{ pointer, message }],
  )
  if (errors.length > 0) throw new Problem('validation_failed', 'The branding is not valid.', { errors })
  return store.branding.put(id, branding)
}
