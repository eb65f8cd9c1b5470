// Inside the thread that writes activity.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { writeHere } from '../store/activity-writer.ts'
import { serveCalls } from './serve-calls.ts'

/** Requests first: where the processor is wanted by others, this waits. Only Linux gives a thread a priority of its own. */
try {
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10)
} catch {}

serveCalls({ durability: 'normal' }, ({ activity }) => {
  const { write, prune } = writeHere(activity)
  return { write, prune }
})
