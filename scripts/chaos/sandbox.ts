// npm run chaos -- sandbox [--rounds 20] [--writes 60] [--seed 7]
import { head, runSandboxKills } from '../../test/chaos/sandbox-kills.ts'
import { chaosCommand } from './command.ts'

const { whole, seed } = chaosCommand('test/chaos', ['rounds', 'writes'])
const run = { rounds: whole('rounds', 20, 1), writes: whole('writes', 60, 2) }
console.log(
  `seed ${seed}: repeat with npm run chaos -- sandbox --rounds ${run.rounds} --writes ${run.writes} --seed ${seed}`,
)
console.log(head)
const { rounds, violations } = await runSandboxKills({ ...run, seed, say: (line) => console.log(line) })
for (const violation of violations) console.log(violation)
const sum = (name: 'created' | 'repeated' | 'simulators' | 'lists') =>
  rounds.reduce((total, row) => total + row[name], 0)
console.log(
  `${violations.length === 0 ? 'PASSED' : 'FAILED'}: ${run.rounds * run.writes} keys, ${sum('created')} acknowledged before a kill, ${sum('repeated')} of them repeated, ${sum('simulators')} records at the simulators, ${sum('lists')} in the lists, ${violations.length} violations`,
)
process.exit(violations.length === 0 ? 0 : 1)
