// Inside the thread that writes the journal. The calls of one turn of the event loop share a transaction, as everywhere on SQLite.
import { serveCalls } from './serve-calls.ts'

serveCalls({ durability: 'full' }, ({ journal }) => ({ ...journal }))
