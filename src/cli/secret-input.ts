// A secret from standard input. Never an argument: every user of the machine can read those.
import { text as readAll } from 'node:stream/consumers'
import { CommandFailure, exitCodes, type Invocation } from './command.ts'

/** One newline at the end belongs to the file, not to the secret. `refusal` is for a terminal, which would show it. */
export async function pipedSecret(input: Invocation['input'], refusal: string): Promise<string> {
  if (input.isTTY) throw new CommandFailure(exitCodes.usage, refusal)
  return (await readAll(input)).replace(/\r?\n$/, '')
}
