import { conformance } from '../../conformance/suite.ts'
import { clover } from './connector.ts'
import { createCloverSimulator } from './simulator.ts'

conformance(clover, createCloverSimulator)
// The store is another one, the rest is the same: one platform with writes of several steps stands for all. `DATABASE_URL=… npm test` runs everything there.
conformance(clover, createCloverSimulator, { database: 'postgres' })
