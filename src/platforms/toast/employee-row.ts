import type { Mapping } from '../../contract/connector.ts'
import type { Employee } from '../../contract/employee.ts'
import type { Pointer } from '../../contract/entity.ts'
import { compact, text } from '../../kit/fields.ts'
import { displayName, fullName, splitName } from '../../kit/names.ts'

export interface NativeEmployee {
  guid: string
  firstName?: string | null
  chosenName?: string | null
  lastName?: string | null
  email?: string | null
  externalEmployeeId?: string | null
  deleted?: boolean
  modifiedDate?: string
  jobReferences?: { guid: string }[] | null
}
/** `kept` are the fields that the last update left out and Toast cannot clear. */
export type EmployeeRow = NativeEmployee & { role?: string; kept?: Pointer[] }

const shownName = (row: NativeEmployee): string => displayName(fullName(row.firstName, row.lastName), row.chosenName, row.email, row.guid)!

export function toUnified(row: EmployeeRow, { warn }: Pick<Mapping, 'warn'>): Employee {
  for (const pointer of row.kept ?? []) warn(pointer, 'Toast cannot clear this field: it was kept')
  return {
    externalId: row.guid,
    name: shownName(row),
    nickname: text(row.chosenName),
    email: text(row.email),
    role: row.role,
    employeeCode: text(row.externalEmployeeId),
    active: !row.deleted,
  }
}

/** What a PATCH takes, and no more: an email stays for good. No value may be null, so nothing can be cleared. */
export function fromUnified(record: Employee, current?: NativeEmployee) {
  // A name stays divided as it is, unless it really changes.
  const same = current && shownName(current) === record.name
  const { first, last } = same ? { first: current.firstName, last: current.lastName } : splitName(record.name)
  return compact({ firstName: first, lastName: last, chosenName: record.nickname, externalEmployeeId: record.employeeCode })
}

const clearable = ['nickname', 'employeeCode', 'role'] as const
export const keptFields = (record: Employee, present: Employee): Pointer[] =>
  clearable.filter((name) => record[name] === undefined && present[name] !== undefined).map((name): Pointer => `/${name}`)
