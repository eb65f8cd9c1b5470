// A call of the platform's own API, as a caller makes it with `POST /unified/{accountId}/native`.

import { useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ApiError } from '../../api.ts'
import { Button, IconButton, LinkButton } from '../../components/button.tsx'
import { Code, Json } from '../../components/code.tsx'
import { Failure, Notice } from '../../components/feedback.tsx'
import { Select, TextArea, TextField } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { HttpStatus } from '../../components/state.tsx'
import { plural } from '../../format.ts'
import { ExternalLink, RefreshCw, Send } from '../../lucide/icons.tsx'
import { useAction } from '../../use-action.ts'
import { useWorkspace } from '../../workspace.tsx'
import { CodeArea } from './code-area.tsx'
import { parseJson } from './json-lines.ts'
import { readLines, valuesByName } from './name-values.ts'
import { RequestStrip } from './request-strip.tsx'
import type { Explorable, NativeCallBody, NativeResponse } from './responses.ts'
import { useExplorerRoute } from './route.ts'
import './edit.css'
import './native-call.css'

type Method = NativeCallBody['method']
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const newId = () => `EXPLORER-${Date.now().toString(36).toUpperCase()}`

export function NativeCall({ account }: { account: Explorable }) {
  const { route, address } = useExplorerRoute()
  const { call } = useWorkspace()
  const { platformName } = account
  const [method, setMethod] = useState<Method>('GET')
  const [path, setPath] = useState(route.path)
  const [queryText, setQueryText] = useState('')
  const [headerText, setHeaderText] = useState('')
  const [bodyText, setBodyText] = useState('')
  const [externalId, setExternalId] = useState(newId)
  const writes = method !== 'GET'
  const query = useMemo(() => readLines(queryText, '='), [queryText])
  const headers = useMemo(() => readLines(headerText, ':'), [headerText])
  const body = useMemo(() => (bodyText.trim() === '' ? undefined : parseJson(bodyText)), [bodyText])
  const [response, setResponse] = useState<NativeResponse>()
  const send = useAction(async () => {
    setResponse(undefined)
    const native: NativeCallBody = {
      method,
      path: path.trim(),
      query: query.pairs.length > 0 ? valuesByName(query.pairs) : undefined,
      headers: headers.pairs.length > 0 ? Object.fromEntries(headers.pairs) : undefined,
      ...(writes ? { body: body?.value, externalId: externalId.trim() } : {}),
    }
    setResponse(await call('callPlatform', { path: { accountId: account.accountId }, body: native }))
  })
  const bodyFault = writes ? (body?.error?.message ?? faultAt(send.error, 'body')) : undefined
  const unfinished =
    path.trim() === '' ||
    [query.error, headers.error].some(Boolean) ||
    (writes && (body?.error !== undefined || externalId.trim() === ''))
  return (
    <div className="edit">
      <form
        className="stack edit-main native-call"
        onSubmit={(event) => {
          event.preventDefault()
          if (!unfinished && !send.busy) void send.run()
        }}
      >
        <header className="spread">
          <div>
            <h2>Native call</h2>
            <p className="small faint">
              {writes
                ? `Sent to ${platformName} once per ID. Sending the same call again is a replay.`
                : `Reads from ${platformName} with the token and rate limit of the account.`}
            </p>
          </div>
          <div className="row">
            <LinkButton kind="quiet" href={address({ view: 'compare' })}>
              Back to records
            </LinkButton>
            <Button
              needs="operator"
              kind="primary"
              type="submit"
              icon={Send}
              busy={send.busy}
              disabled={unfinished || send.busy}
            >
              Send
            </Button>
          </div>
        </header>
        <div className="native-call-line">
          <Select
            label="Method"
            value={method}
            onChange={setMethod}
            choices={methods.map((value) => ({ value, label: value }))}
            error={faultAt(send.error, 'method')}
          />
          <TextField
            label="Path"
            mono
            value={path}
            onChange={setPath}
            autoComplete="off"
            autoCapitalize="off"
            hint={`A path of ${platformName}’s own API, without host and query. It begins with a slash.`}
            error={faultAt(send.error, 'path')}
          />
        </div>
        {writes ? (
          <div className="native-call-id">
            <TextField
              label="ID"
              mono
              value={externalId}
              onChange={setExternalId}
              autoComplete="off"
              hint="The externalId of the call: its idempotency key"
              error={faultAt(send.error, 'externalId')}
            />
            <IconButton icon={RefreshCw} label="New ID" onClick={() => setExternalId(newId())} />
          </div>
        ) : null}
        <div className="native-call-pairs">
          <TextArea
            label="Query"
            mono
            rows={3}
            value={queryText}
            onChange={setQueryText}
            hint="One name=value per line"
            error={query.error ?? faultAt(send.error, 'query')}
          />
          <TextArea
            label="Headers"
            mono
            rows={3}
            value={headerText}
            onChange={setHeaderText}
            hint="One name: value per line. The service adds those of the account."
            error={headers.error ?? faultAt(send.error, 'headers')}
          />
        </div>
        {writes ? (
          <BodyField text={bodyText} onChange={setBodyText} fault={bodyFault} line={body?.error?.line} />
        ) : null}
        <SendFailure error={send.error} />
        <p className="unseen" role="status">
          {response ? `${platformName} responded with ${response.status}` : ''}
        </p>
        {response ? <Response response={response} platformName={platformName} /> : null}
      </form>
      <About account={account} />
    </div>
  )
}

/** What is wrong with a field. Parts of a field, such as a parameter, are named. */
function faultAt(error: ApiError | undefined, field: string): string | undefined {
  const own = error?.errors.filter(({ pointer }) => pointer === `/${field}` || pointer.startsWith(`/${field}/`)) ?? []
  const sentences = own.map(({ pointer, message }) => {
    const name = pointer
      .slice(field.length + 2)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~')
    return name ? `${name} ${message}` : message
  })
  return sentences.length > 0 ? sentences.join('; ') : undefined
}

function SendFailure({ error }: { error: ApiError | undefined }) {
  if (!error) return null
  return error.code === 'validation_failed' && error.errors.length > 0 ? (
    <p className="field-error" role="alert">
      Nothing was sent. Correct the marked fields.
    </p>
  ) : (
    <Failure error={error} kept="Your input is still here." />
  )
}

interface BodyProps {
  text: string
  onChange(text: string): void
  fault: string | undefined
  line: number | undefined
}
function BodyField({ text, onChange, fault, line }: BodyProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const marks = useMemo(() => new Map(line === undefined ? [] : [[line, 'error' as const]]), [line])
  return (
    <div className="field">
      <span className="native-call-label" aria-hidden>
        Body
      </span>
      <CodeArea
        label="Body as JSON"
        value={text}
        onChange={onChange}
        marks={marks}
        area={area}
        describedBy="native-call-body"
      />
      <div id="native-call-body">
        {fault ? <div className="field-error">{fault}</div> : null}
        <div className="field-hint">
          JSON, or nothing. A JSON string is sent as text, with the content-type in the headers.
        </div>
      </div>
    </div>
  )
}

function Response({ response, platformName }: { response: NativeResponse; platformName: string }) {
  const { status, headers, body, encoding, reference } = response
  const names = Object.entries(headers)
  return (
    <>
      {reference?.replayed ? (
        <Notice title="Replayed: this call was made before">
          <p>The response came from the journal. Nothing was sent to {platformName}.</p>
        </Notice>
      ) : null}
      <Section title="Response" actions={<HttpStatus status={status} />}>
        <div className="stack-small">
          {body === null ? (
            <p className="faint">{platformName} sent no body.</p>
          ) : typeof body === 'string' ? (
            <Code text={body} label="Copy body" />
          ) : (
            <Json value={body} />
          )}
          {encoding ? (
            <p className="small faint">The body has bytes that are no text. They are shown as Base64.</p>
          ) : null}
          {names.length > 0 ? (
            <details className="native-call-headers">
              <summary>{plural(names.length, 'header')}</summary>
              <Code text={names.map(([name, value]) => `${name}: ${value}`).join('\n')} label="Copy headers" />
            </details>
          ) : null}
        </div>
      </Section>
      <RequestStrip asked={response} />
    </>
  )
}

function About({ account: { platformName, native } }: { account: Explorable }) {
  const { address } = useExplorerRoute()
  return (
    <aside className="stack edit-beside">
      <Section title="Paths">
        <div className="stack-small small">
          <p>
            <a href={native.docs} target="_blank" rel="noreferrer">
              API reference of {platformName} <ExternalLink size={13} aria-hidden />
            </a>
          </p>
          <p>
            The view <Link href={address({ view: 'native' })}>Native</Link> of a record lists the calls that it was made
            of, and opens them here.
          </p>
          {native.settings.length > 0 ? (
            <p>
              Settings of the account can be part of a path:{' '}
              {native.settings.map((name, index) => (
                <span key={name}>
                  {index > 0 ? ', ' : ''}
                  <code>{`{${name}}`}</code>
                </span>
              ))}
            </p>
          ) : null}
        </div>
      </Section>
    </aside>
  )
}
