// Users of the management API outside of it: the first one, and those of `unirec users`.
import { hostname } from 'node:os'
import { createPassword, hashPassword } from './accounts/secrets.ts'
import type { Config } from './config.ts'
import { createRequestId } from './store/request-id.ts'
import type { Store } from './store/store.ts'

export { createPassword, hashPassword, isPassword, isUserName, passwordRule, userNameRule } from './accounts/secrets.ts'

/** The first user: from ADMIN_USER and ADMIN_PASSWORD, or with a generated password that is printed once. */
export async function openFirstLogin(
  store: Store,
  { adminUser: name = 'admin', adminPassword }: Config,
): Promise<void> {
  if ((await store.users.count()) === 0) {
    const password = adminPassword ?? createPassword()
    const first = { name, passwordHash: await hashPassword(password), ...(adminPassword ? {} : { password }) }
    await store.transaction(async (inner) => {
      if (await inner.users.createFirst(first)) await recordUserAction(inner, 'start', 'createUser', name)
    })
  }
  let failure: Error | undefined
  const printing = store.users.printFirst(async (login) => {
    try {
      await print(
        `First login: user ${login.name}, password ${login.password}\nThe password is not printed again. Change it in the dashboard, or with: unirec users reset-password ${login.name}\n`,
      )
    } catch (error) {
      failure = error as Error
      throw error // so that it stays stored
    }
  })
  await printing.catch((error: unknown) => {
    if (!failure) throw error
    console.error(`the password of the first user could not be printed; the next start prints it: ${failure.message}`)
  })
}

/** The audit log has what happens to users outside of the management API, too. */
export async function recordUserAction(store: Store, actor: string, action: string, user: string): Promise<void> {
  await store.audit.append({
    scope: 'install',
    actor,
    address: hostname(),
    action,
    object: { user },
    outcome: 'ok',
    requestId: createRequestId(),
  })
}

/** What is wrong with the identity provider of OIDC_ISSUER; undefined: nothing. */
export async function checkIdentityProvider({ oidc, proxy, allowedHosts = [] }: Config): Promise<string | undefined> {
  if (!oidc) return undefined
  const [{ createOidc }, { createEgress }, { createTransport }] = await Promise.all([
    import('./accounts/oidc.ts'),
    import('./engine/outbound/egress.ts'),
    import('./engine/outbound/transport.ts'),
  ])
  const transport = createTransport({ egress: createEgress({ allowedHosts }), proxy })
  try {
    await createOidc(oidc, transport).check()
    return undefined
  } catch (error) {
    return (error as Error).message
  } finally {
    await transport.close()
  }
}

/** Resolves when standard output has taken it. */
function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
