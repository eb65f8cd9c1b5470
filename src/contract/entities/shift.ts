import { defineEntity } from '../define-entity.ts'
import { identifier, instant, number, optional, referenceTo, text } from '../field.ts'

export const shift = defineEntity('shift', {
  names: { one: 'shift', many: 'shifts' },
  verticals: ['restaurant'],
  writable: false,
  personal: 'record',
  identity: [['employeeExternalId', 'startAt', 'endAt']],
  fields: {
    employeeExternalId: optional(
      referenceTo('employee', 'Employee who is to work; absent if the shift is not assigned'),
    ),
    jobExternalId: optional(identifier('Job or role identifier')),
    locationExternalId: optional(referenceTo('location', 'Location where the shift is worked')),
    startAt: optional(instant('Planned start')),
    endAt: optional(instant('Planned end')),
    breakMinutes: optional(number('Planned breaks, in minutes')),
    status: optional(text("The platform's status of the shift")),
  },
  example: {
    externalId: 'SHIFT-1',
    employeeExternalId: 'EMP-1',
    jobExternalId: 'JOB-1',
    locationExternalId: 'LOC-1',
    startAt: '2026-11-10T09:00:00.000Z',
    endAt: '2026-11-10T17:30:00.000Z',
    breakMinutes: 30,
    status: 'PUBLISHED',
  },
})
