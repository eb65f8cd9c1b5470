import { type Static, Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import { identifier, instant, optional, text } from '../field.ts'

const fields = Type.Object({
  externalId: identifier("The platform's id of the shift"),
  employeeExternalId: optional(identifier('Employee who is to work; absent if the shift is not assigned')),
  jobExternalId: optional(identifier('Job or role identifier')),
  locationExternalId: optional(identifier('Location where the shift is worked')),
  startAt: optional(instant('Planned start')),
  endAt: optional(instant('Planned end')),
  breakMinutes: optional(Type.Number({ description: 'Planned breaks, in minutes' })),
  status: optional(text("The platform's status of the shift")),
})
export type Shift = Static<typeof fields>

export const shift = defineEntity<Shift>({
  entityType: 'shift',
  title: 'Shift',
  verticals: ['restaurant'],
  writable: false,
  fields,
  only: {},
  references: { '/employeeExternalId': 'employee', '/locationExternalId': 'location' },
  money: [],
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
