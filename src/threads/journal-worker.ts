// Inside the thread that writes the journal. The calls of a message are one batch of the write queue: one transaction,
// in which each call succeeds or fails on its own.
import { serveCalls } from './serve-calls.ts'

serveCalls({ durability: 'full' }, ({ journal }) => ({ ...journal }))
