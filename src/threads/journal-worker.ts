// Inside the thread that writes the journal. The calls of a message are one batch of the write queue: one transaction, with a savepoint for each call.
import { serveCalls } from './serve-calls.ts'

serveCalls({ durability: 'full' }, ({ journal }) => ({ ...journal }))
