// Loaded before the service: shifts its clock by the number of milliseconds in CLOCK_FILE, and again when the file
// changes.
import { readFileSync } from 'node:fs'

const { CLOCK_FILE } = process.env
const SystemDate = Date
let shift = 0
setInterval(() => {
  shift = Number(readFileSync(CLOCK_FILE as string, 'utf8'))
}, 20).unref()

class ShiftedDate extends SystemDate {
  constructor(...parameters: [] | [string | number | Date]) {
    if (parameters.length === 0) super(SystemDate.now() + shift)
    else super(...(parameters as [string]))
  }
  static override now(): number {
    return SystemDate.now() + shift
  }
}
if (CLOCK_FILE) globalThis.Date = ShiftedDate as DateConstructor
