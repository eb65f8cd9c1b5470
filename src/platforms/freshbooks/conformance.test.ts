import { conformance } from '../../conformance/suite.ts'
import { freshbooks } from './connector.ts'
import { createFreshbooksSimulator, freshbooksSimulatorWith } from './simulator/simulator.ts'

conformance(freshbooks, createFreshbooksSimulator)
conformance(freshbooks, freshbooksSimulatorWith({ order: 'updated', errors: 'new', uniqueEmails: true }), {
  database: 'postgres',
})
