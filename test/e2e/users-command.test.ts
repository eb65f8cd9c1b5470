// unirec users, while a service is running, on SQLite and on PostgreSQL.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { runCliHere } from '../cli-here.ts'
import { type CliResult, cliProgram, runCli } from '../cli-process.ts'
import { inOrder } from '../in-order.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'
import { storeKinds } from '../store-on.ts'

for (const kind of storeKinds)
  describe(`on ${kind}`, inOrder, () => {
    const adminToken = randomBytes(24).toString('hex')
    const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-users-'))
    let environment: Record<string, string>
    let service: ServiceHere
    beforeAll(async () => {
      environment = {
        DATA_DIR: dataDir,
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DATABASE_URL: kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : '',
      }
      service = await openServiceHere({
        ...environment,
        SANDBOX: 'off',
        ADMIN_TOKEN: adminToken,
        ADMIN_PASSWORD: 'the first password',
      })
    })
    afterAll(async () => {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    const users = (words: string[], input?: string): Promise<CliResult> =>
      runCliHere(['users', ...words], { environment, input })
    const manage = (method: string, path: string, token: string, body?: object) =>
      fetch(`${service.url}/manage/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const logIn = async (user: string, password: string) => {
      const response = await manage('POST', '/sessions', 'none', { user, password })
      return { status: response.status, token: ((await response.json()) as { token?: string }).token ?? '' }
    }

    it('creates a user who can log in at once, with a generated or given password', async () => {
      const { code, stdout } = await runCli(['users', 'create', 'ada'], { environment, program: cliProgram })
      expect(code).toBe(0)
      const password = /^password (\S+)$/m.exec(stdout)?.[1] as string
      expect((await logIn('ada', password)).status).toBe(201)
      const made = await manage('POST', '/workspaces', adminToken, { name: 'Shop' })
      const { id } = (await made.json()) as { id: string }
      const role = ['--workspace', id, '--role', 'operator']
      expect(
        await users(['create', 'bob', ...role, '--password-stdin', '--json'], 'a chosen password\n'),
      ).toMatchObject({
        code: 0,
        stdout: '{"user":"bob"}\n',
      })
      const { status, token } = await logIn('bob', 'a chosen password')
      expect(status).toBe(201)
      expect(await (await manage('GET', '/sessions/current', token)).json()).toMatchObject({
        isAdmin: false,
        roles: { [id]: 'operator' },
      })
    })

    it('resets a password: the old one stops working and all sessions end, also those of the running service', async () => {
      const { token } = await logIn('admin', 'the first password')
      expect((await manage('GET', '/sessions/current', token)).status).toBe(200)
      expect((await users(['list'])).stdout).toMatch(
        /^user +access +workspaces +sessions\n(.+\n)*admin +installation admin +0 +1\nbob +by role +1 +1\n/,
      )
      expect(await users(['reset-password', 'admin', '--password-stdin'], 'the second password')).toMatchObject({
        code: 0,
        stdout: 'set a new password for user admin and ended all sessions\n',
      })
      expect((await manage('GET', '/sessions/current', token)).status).toBe(401)
      expect((await logIn('admin', 'the first password')).status).toBe(401)
      expect((await logIn('admin', 'the second password')).status).toBe(201)
    })

    it('rejects invalid commands, and says what to do instead', async () => {
      expect(await users(['create', 'admin'])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('unirec users reset-password admin'),
      })
      expect(await users(['reset-password', 'nobody'])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('unirec users list'),
      })
      expect(await users(['create', 'eve', '--password-stdin'], 'short')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('must have 10 to 1000 characters'),
      })
      expect(await users(['create', 'eve\u0007'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('<user> must be 1 to 200 characters'),
      })
      const { ENCRYPTION_KEY: _, ...withoutKey } = environment
      expect(await runCliHere(['users', 'list'], { environment: withoutKey })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('the encryption key is missing'),
      })
      expect((await users(['list', '--json'])).stdout).not.toContain('eve')
    })

    it('creates, renames and deletes a workspace', async () => {
      const remote = { environment: { UNIREC_URL: service.url, UNIREC_ADMIN_TOKEN: adminToken } }
      const run = (...words: string[]) => runCliHere(['workspaces', ...words], remote)
      const id = (await run('create', 'Short-lived')).stdout.trim()
      expect(await run('rename', id, 'Renamed')).toMatchObject({ code: 0, stdout: `${id} is now Renamed\n` })
      expect((await run('list')).stdout).toContain('Renamed')
      const refused = await run('delete', id, 'Short-lived')
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('exact name')])
      expect((await run('delete', id, 'Renamed')).code).toBe(0)
      expect((await run('list')).stdout).not.toContain(id)
    })

    it('writes to the audit log, which stays valid', async () => {
      const { data } = (await (await manage('GET', '/audit', adminToken)).json()) as {
        data: { actor: string; action: string; object: { user?: string } }[]
      }
      const entries = data
        .filter(({ action }) => /User|resetPassword/.test(action))
        .map(({ actor, action, object }) => `${actor.replace(/\(.*\)/, '(…)')} ${action} ${object.user}`)
      expect(entries.reverse()).toEqual([
        'start createUser admin',
        'unirec (…) createUser ada',
        'unirec (…) createUser bob',
        'unirec (…) resetPassword admin',
      ])
      const { data: chains } = (await (await manage('GET', '/audit/verification', adminToken)).json()) as {
        data: { brokenAt?: number }[]
      }
      expect(chains.filter(({ brokenAt }) => brokenAt !== undefined)).toEqual([])
    })
  })
