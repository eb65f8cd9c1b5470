import { withQuery } from '../api.ts'
import { Download } from '../lucide/icons.tsx'
import { Menu } from './menu.tsx'

/** Downloads what the filter shows, all pages of it. `path` is below the management API. */
export function ExportMenu({ path, query }: { path: string; query: Record<string, string | undefined> }) {
  const save = (format: string) => {
    const link = document.createElement('a')
    link.href = withQuery(`/manage/v1${path}`, { ...query, format })
    link.download = ''
    link.click()
  }
  return (
    <Menu
      label="Export"
      className="button button-plain"
      entries={[
        { label: 'CSV, for a spreadsheet', run: () => save('csv') },
        { label: 'NDJSON, one JSON object per line', run: () => save('ndjson') },
      ]}
      button={
        <>
          <Download size={16} aria-hidden />
          Export
        </>
      }
    />
  )
}
