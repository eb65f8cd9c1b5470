// Every simulator the sandbox runs, by the platform's id.
import type { CreateSimulator } from '../sandbox/simulator.ts'
import { createSquareSimulator } from './square/simulator.ts'

export const simulators: Readonly<Record<string, CreateSimulator>> = {
  square: createSquareSimulator,
}
