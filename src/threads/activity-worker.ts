// Inside the thread that writes activity.
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { writeHere } from '../store/activity-writer.ts'
import { serveCalls } from './serve-calls.ts'

/** A low priority, so that requests get the processor first. Only Linux has a priority per thread. */
try {
  setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 10)
} catch {}

serveCalls({ durability: 'normal' }, ({ activity }) => {
  const { write, prune } = writeHere(activity)
  return { write, prune }
})
