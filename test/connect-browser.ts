// A browser without scripts, for the hosted pages: stores cookies, follows links and redirects, fills in forms.
export interface Shown {
  url: string
  status: number
  headers: Headers
  text: string
}
export interface Form {
  method: string
  action: string
  fields: URLSearchParams // as in the page
}
const decoded = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

export function formsIn({ text, url }: Shown): Form[] {
  return [...text.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', body = '']) => {
    const attribute = (tag: string, name: string) =>
      decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
    const fields = new URLSearchParams()
    for (const [, tag = ''] of body.matchAll(/<input ([^>]*)>/g))
      if (attribute(tag, 'type') !== 'radio') fields.append(attribute(tag, 'name'), attribute(tag, 'value'))
    return {
      method: attribute(head, 'method').toUpperCase() || 'GET',
      action: new URL(attribute(head, 'action'), url).href,
      fields,
    }
  })
}

export function createBrowser() {
  const cookies = new Map<string, Map<string, string>>() // host -> name -> value
  async function request(method: string, address: string, body?: URLSearchParams): Promise<Shown> {
    const { host } = new URL(address)
    const jar = cookies.get(host) ?? new Map<string, string>()
    const response = await fetch(address, {
      method,
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      body: body?.toString(),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    cookies.set(host, jar)
    return { url: address, status: response.status, headers: response.headers, text: await response.text() }
  }
  /** Follows redirects, but not to `stop`, where no server listens. */
  async function follow(first: Shown, stop = 'https://'): Promise<Shown> {
    let shown = first
    for (let hops = 0; shown.status >= 300 && shown.status < 400 && hops < 10; hops++) {
      const next = new URL(shown.headers.get('location') as string, shown.url).href
      if (next.startsWith(stop)) return { ...shown, url: next }
      shown = await request('GET', next)
    }
    return shown
  }
  return {
    cookies,
    request,
    open: async (address: string) => follow(await request('GET', address)),
    async submit(form: Form, values: Record<string, string> = {}): Promise<Shown> {
      const fields = new URLSearchParams(form.fields)
      for (const [name, value] of Object.entries(values)) fields.set(name, value)
      if (form.method === 'GET') return follow(await request('GET', `${form.action.split('?')[0]}?${fields}`))
      return follow(await request('POST', form.action, fields))
    },
  }
}
export type TestBrowser = ReturnType<typeof createBrowser>
