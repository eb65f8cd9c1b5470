// The folder of a migration: the notebook while it runs, the report when it ends.
import { closeSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { OnDifference } from '../../migrate/reconcile.ts'
import type { Report } from '../../migrate/report.ts'
import { reportHtml } from './report-html.ts'

export interface ReportFolder {
  notebook: string
  onDifference: OnDifference
  finish(report: Report): string // where the page is
}

/** Records of customers are in it: it is for its owner only. */
export function openReportFolder(path: string): ReportFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const file = (name: string) => join(path, name)
  const part = file('differences.ndjson.part')
  const descriptor = openSync(part, 'w', 0o600)
  let waiting = ''
  const flush = () => {
    writeSync(descriptor, waiting)
    waiting = ''
  }
  const put = (name: string, text: string) => {
    writeFileSync(file(`${name}.part`), text, { mode: 0o600 })
    renameSync(file(`${name}.part`), file(name))
  }
  return {
    notebook: file('notebook.sqlite'),
    onDifference(difference) {
      waiting += `${JSON.stringify(difference)}\n`
      if (waiting.length > 65_536) flush()
    },
    finish(report) {
      flush()
      closeSync(descriptor)
      renameSync(part, file('differences.ndjson'))
      put('report.json', `${JSON.stringify(report, null, 2)}\n`)
      put('report.html', reportHtml(report))
      return file('report.html')
    },
  }
}
