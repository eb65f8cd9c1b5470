import type { ApiError } from '../../api.ts'
import { Json } from '../../components/code.tsx'
import { Failure, Notice, Skeleton } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Section } from '../../components/page.tsx'
import { plural } from '../../format.ts'
import type { PreviewResponse } from './rules.ts'
import type { Samples } from './samples.ts'

interface PreviewProps {
  samples: Samples
  response: PreviewResponse | undefined
  error: ApiError | undefined
  refused: number
  direction: 'read' | 'write'
  platformName: string
}

/** The effect of the rules on a real record. */
export function Preview({ samples, response, error, refused, direction, platformName }: PreviewProps) {
  const changed = response?.rules.filter(({ effect }) => effect !== 'none') ?? []
  return (
    <Section
      title="Preview"
      about={direction === 'read' ? `On a current record from ${platformName}` : 'On the schema example'}
    >
      <div className="stack" aria-live="polite">
        {direction === 'read' && samples.all.length > 0 ? (
          <Select
            label="Record"
            value={samples.current?.id ?? ''}
            onChange={samples.choose}
            choices={samples.all.map(({ id, title }) => ({ value: id, label: title }))}
          />
        ) : null}
        {samples.loading.error ? (
          <Failure
            error={samples.loading.error}
            kept="Your rules are still here."
            retry={() => void samples.loading.refresh()}
          />
        ) : null}
        {!samples.loading.loading && !samples.loading.error && samples.all.length === 0 ? (
          <Notice>The account has no records to preview.</Notice>
        ) : null}
        {refused > 0 ? (
          <Notice tone="attention">{`${plural(refused, 'rule')} not valid. See the message on each rule. The last preview is shown below.`}</Notice>
        ) : null}
        {error ? <Failure error={error} kept="Your rules are still here." /> : null}
        {response ? (
          <>
            {changed.length === 0 ? <p className="faint">No rule changes this record.</p> : null}
            {changed.length > 0 ? (
              <table className="preview-table">
                <caption className="unseen">Changes</caption>
                <thead>
                  <tr>
                    <th scope="col">Field</th>
                    <th scope="col">Built-in</th>
                    <th scope="col">With the rules</th>
                  </tr>
                </thead>
                <tbody>
                  {changed.map(({ pointer, before, after }) => (
                    <tr key={pointer}>
                      <th scope="row" className="mono">
                        {pointer}
                      </th>
                      <td className="mono preview-before">{before === undefined ? '—' : JSON.stringify(before)}</td>
                      <td className="mono preview-after">{after === undefined ? '—' : JSON.stringify(after)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            ) : null}
            {response.warnings.map(({ pointer, message }) => (
              <Notice key={`${pointer} ${message}`} tone="attention">
                {pointer ? <code>{pointer}</code> : null} {message}
              </Notice>
            ))}
            <details>
              <summary>Full record</summary>
              <Json value={response.after ?? null} />
            </details>
          </>
        ) : samples.all.length > 0 || samples.loading.loading ? (
          <Skeleton lines={6} />
        ) : null}
      </div>
    </Section>
  )
}
