import { type Static, Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import { hours, identifier, instant, optional, text } from '../field.ts'

const fields = Type.Object({
  externalId: identifier("The platform's id of the time entry"),
  employeeExternalId: optional(identifier('Employee identifier')),
  jobExternalId: optional(identifier('Job or role identifier')),
  shiftExternalId: optional(identifier('Parent shift identifier')),
  startAt: optional(instant('Punch-in time')),
  endAt: optional(instant('Punch-out time')),
  regularHours: optional(hours('Regular hours worked')),
  overtimeHours: optional(hours('Overtime hours worked')),
  status: optional(text('Source time-entry status')),
})
export type TimeEntry = Static<typeof fields>

export const timeEntry = defineEntity<TimeEntry>({
  entityType: 'time_entry',
  title: 'Time entry',
  verticals: ['restaurant'],
  writable: false,
  fields,
  only: {},
  references: { '/employeeExternalId': 'employee', '/shiftExternalId': 'shift' },
  money: [],
  example: {
    externalId: 'TC-1',
    employeeExternalId: 'EMP-1',
    jobExternalId: 'JOB-1',
    shiftExternalId: 'SHIFT-1',
    startAt: '2026-11-10T09:00:00.000Z',
    endAt: '2026-11-10T17:30:00.000Z',
    regularHours: 8,
    overtimeHours: 0.5,
    status: 'CLOSED',
  },
})
