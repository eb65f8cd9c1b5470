// The consent page: plain HTML, one button per tenant, usable by a browser and by a test that posts the form.
import type { WireResponse } from './simulator.ts'

export interface ConsentPage {
  platform: string
  application: string
  scopes: readonly string[]
  action: string // path or URL that the form is posted to
  hidden: Readonly<Record<string, string>> // state, redirect_uri and similar fields, sent back with the choice
  tenants: readonly { id: string; name: string }[]
}

/** Posts `tenant=<id>&decision=approve|deny` and the hidden fields. */
export function consentPage({ platform, application, scopes, action, hidden, tenants }: ConsentPage): WireResponse {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  const forms = tenants.map(
    ({
      id,
      name,
    }) => `<form method="post" action="${escapeHtml(action)}">${fields.join('')}<input type="hidden" name="tenant" value="${escapeHtml(id)}">
<button name="decision" value="approve">Allow for ${escapeHtml(name)}</button> <button name="decision" value="deny">Deny</button></form>`,
  )
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(platform)} (sandbox)</title></head><body>
<h1>${escapeHtml(platform)} (sandbox)</h1><p>${escapeHtml(application)} asks for: ${scopes.map(escapeHtml).join(', ') || 'basic access'}</p>
${forms.join('\n')}
</body></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body }
}

/** Redirects to the application, with the fields that the platform adds. */
export function redirectTo(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): WireResponse {
  const location = new URL(redirectUri)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) location.searchParams.set(name, value)
  return { status: 302, headers: { location: location.href } }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)
