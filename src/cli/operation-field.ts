// A field of a request to the management API, and the flag that a command has for it.
import type { ManageOperation } from '../../packages/client/src/manage-call.ts'
import type { Flag } from './command.ts'
import { type OperationField, operationFields } from './generated/operation-fields.ts'

export type { OperationField }

export function fieldOf(operation: ManageOperation, name: string): OperationField {
  const field = operationFields[operation]?.[name]
  if (!field) throw new Error(`${operation} has no field ${name}`)
  return field
}

export const hasBody = (operation: ManageOperation): boolean =>
  Object.values(operationFields[operation] ?? {}).some(({ at }) => at === 'body')

const limits = ({ least, most }: OperationField): string =>
  least !== undefined && most !== undefined ? `${least} to ${most}` : most === undefined ? '' : `at most ${most}`

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** What a command says otherwise than the description of the field. */
export type FlagWords = Partial<Omit<Flag, 'field'>>

export function flagOf(operation: ManageOperation, field: string, words: FlagWords = {}): Flag {
  const of = fieldOf(operation, field)
  const { type, choices = [], about = '' } = of
  // A setting that can be switched off again takes a word; others are set by their name alone.
  const isSwitch = type === 'boolean' && words.choices === undefined
  const described = [about, ...(type === 'list' ? ['separated by commas'] : [limits(of)])].filter((part) => part !== '')
  return {
    name: kebab(field),
    field,
    type: isSwitch ? 'boolean' : 'string',
    ...(choices.length > 0 ? { choices } : type === 'number' ? { value: 'NUMBER' } : {}),
    description: described.join(type === 'list' ? ', ' : '; '),
    ...words,
  }
}
