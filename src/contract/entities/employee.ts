import { defineEntity, type RecordOf } from '../define-entity.ts'
import { email, flag, label, optional, text } from '../field.ts'

export const employee = defineEntity('employee', {
  names: { one: 'employee', many: 'employees' },
  verticals: ['restaurant'],
  writable: true,
  personal: 'person',
  identity: [['email'], ['employeeCode'], ['name']],
  fields: {
    name: label('Display name'),
    nickname: optional(text('Nickname or short label')),
    email: optional(email('Employee email')),
    role: optional(text('A role such as ADMIN, MANAGER, EMPLOYEE, or a system-specific labor role')),
    employeeCode: optional(text('System-specific employee code or custom id')),
    active: optional(flag('Whether the employee is active'), { leftOut: 'keeps', default: true }),
    isOwner: optional(flag('Whether the employee is marked as owner'), { leftOut: 'keeps', default: false }),
  },
  example: {
    externalId: 'SRC-EMPLOYEE-1',
    name: 'Grace Hopper',
    nickname: 'Amazing Grace',
    email: 'grace@example.com',
    role: 'MANAGER',
    employeeCode: 'E-17',
    active: true,
    isOwner: false,
  },
})
export type Employee = RecordOf<typeof employee>
