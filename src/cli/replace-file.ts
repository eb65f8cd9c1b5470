// A file that is replaced as a whole: a reader, or a run after a crash, sees the old content or the new one.
import { type FileHandle, open, rename } from 'node:fs/promises'
import { CommandFailure, exitCodes } from './command.ts'

export const partOf = (file: string): string => `${file}.part`

export const unwritable = (file: string, error: unknown, exitCode: number = exitCodes.failed): CommandFailure =>
  new CommandFailure(exitCode, `${file} cannot be written: ${(error as Error).message}`)

/** Closes the part and gives it the name of the file, after its bytes are on the disk. */
export async function publish(handle: FileHandle, file: string): Promise<void> {
  await handle.datasync()
  await handle.close()
  await rename(partOf(file), file)
}

export async function replaceFile(file: string, text: string): Promise<void> {
  try {
    const handle = await open(partOf(file), 'w')
    await handle.writeFile(text)
    await publish(handle, file)
  } catch (error) {
    throw unwritable(file, error)
  }
}
