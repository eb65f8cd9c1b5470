// Inside the thread that writes the journal. What is asked in one turn shares a transaction, as everywhere on SQLite.
import { serveCalls } from './serve-calls.ts'

serveCalls({ lasting: true }, ({ journal }) => ({ ...journal }))
