// Inside the thread that writes the journal. What is asked in one turn shares a transaction, as everywhere on SQLite.
import { answerCalls } from './serve-calls.ts'

answerCalls({ lasting: true }, ({ journal }) => ({ ...journal }))
