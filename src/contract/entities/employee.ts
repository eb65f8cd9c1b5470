import { type Static, Type } from 'typebox'
import { defineEntity } from '../entity.ts'
import { email, flag, optional, ownId, text } from '../field.ts'

const fields = Type.Object({
  externalId: ownId('employee'),
  name: Type.String({ description: 'Display name', minLength: 1 }),
  nickname: optional(text('Nickname or short label')),
  email: optional(email('Employee email')),
  role: optional(text('A role such as ADMIN, MANAGER, EMPLOYEE, or a system-specific labor role')),
  employeeCode: optional(text('System-specific employee code or custom id')),
  active: optional(flag('Whether the employee is active')),
  isOwner: optional(flag('Whether the employee is marked as owner')),
})
export type Employee = Static<typeof fields>

export const employee = defineEntity<Employee>({
  entityType: 'employee',
  title: 'Employee',
  verticals: ['restaurant'],
  writable: true,
  fields,
  only: {},
  references: {},
  money: [],
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
