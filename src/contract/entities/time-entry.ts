import { defineEntity } from '../define-entity.ts'
import { identifier, instant, number, optional, referenceTo, text } from '../field.ts'

export const timeEntry = defineEntity('time_entry', {
  names: { one: 'time entry', many: 'time entries' },
  verticals: ['restaurant'],
  writable: false,
  personal: 'record',
  identity: [['employeeExternalId', 'startAt', 'endAt']],
  fields: {
    employeeExternalId: optional(referenceTo('employee', 'Employee identifier')),
    jobExternalId: optional(identifier('Job or role identifier')),
    shiftExternalId: optional(referenceTo('shift', 'Parent shift identifier')),
    startAt: optional(instant('Punch-in time')),
    endAt: optional(instant('Punch-out time')),
    regularHours: optional(number('Regular hours worked')),
    overtimeHours: optional(number('Overtime hours worked')),
    status: optional(text('Source time-entry status')),
  },
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
