import { conformance } from '../../conformance/suite.ts'

conformance('square')
