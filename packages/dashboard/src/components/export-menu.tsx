import { Download } from '../lucide/icons.tsx'
import { manageUrl } from '../manage.ts'
import { useWorkspace } from '../workspace.tsx'
import { Menu } from './menu.tsx'

interface ExportMenuProps {
  operation: 'exportActivity' | 'exportAudit' | 'exportWorkspaceAudit'
  query: Record<string, string | undefined>
}
/** Downloads what the filter shows, all pages of it. */
export function ExportMenu({ operation, query }: ExportMenuProps) {
  const { id } = useWorkspace()
  const save = (format: string) => {
    const link = document.createElement('a')
    link.href = manageUrl(operation, { workspace: id, query: { ...query, format } })
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
