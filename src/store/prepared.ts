// The statements that PostgreSQL prepares once per connection: those of every request.
const names = new Map<string, string>()

/** From now on, this text is a prepared statement. It must not contain values. */
export function prepareOnce(text: string): string {
  if (!names.has(text)) names.set(text, `unified_records_${names.size}`)
  return text
}
export const preparedNameOf = (text: string): string | undefined => names.get(text)
