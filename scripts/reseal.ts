// Seals everything again with the first key of ENCRYPTION_KEY, beside the running service: `npm run reseal`. Afterwards the other keys can go.
import { readConfig } from '../src/config.ts'
import { openStore } from '../src/store/open-store.ts'
import { createVault } from '../src/store/vault.ts'

const { databaseUrl, dataDir, encryptionKeys } = readConfig()
const store = await openStore({ dataDir, vault: createVault(encryptionKeys), ...(databaseUrl ? { databaseUrl } : {}) })
try {
  console.log(`${await store.reseal()} values were sealed again with the newest of ${encryptionKeys.length} keys`)
} finally {
  await store.close()
}
