import { conformance } from '../../conformance/suite.ts'
import { quickbooksOnline } from './connector.ts'
import { createQuickbooksOnlineSimulator, quickbooksSimulatorWithGrace } from './simulator/simulator.ts'

conformance(quickbooksOnline, createQuickbooksOnlineSimulator)
conformance(quickbooksOnline, quickbooksSimulatorWithGrace(0), { database: 'postgres' })
