import { openStage } from './speed/processes.ts'
import { page } from './speed/reads.ts'

const stage = await openStage()
const service = await stage.service(process.env.PROF ? { NODE_OPTIONS: '--cpu-prof --cpu-prof-dir=/tmp/prof' } : {})
const proxy = await stage.proxy(stage.front)
const headers = { authorization: `Bearer ${service.sandboxFile().apiKey}` }
const s = { url: service.url + page, headers, connections: 50 }
const m = { url: `${proxy}/map`, connections: 50 }
await stage.load({ ...s, seconds: 5 })
await stage.load({ ...m, seconds: 3 })
for (let i = 0; i < Number(process.env.N ?? 3); i++) {
  const a = await stage.load({ ...s, seconds: 3 })
  const b = await stage.load({ ...m, seconds: 3 })
  console.log(a.perSecond.toFixed(0), b.perSecond.toFixed(0), (a.perSecond / b.perSecond).toFixed(2))
}
await service.kill('SIGTERM')
await stage.close()
