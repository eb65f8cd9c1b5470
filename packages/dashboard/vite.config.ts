import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { notices } from '../../scripts/notices.mjs'

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), notices()],
  build: {
    modulePreload: {
      // The content security policy of the service allows no inline script, and current browsers preload modules.
      polyfill: false,
      // What a chunk needs beside itself, the first page has loaded.
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
    assetsInlineLimit: 0,
    cssCodeSplit: false, // one stylesheet of about 10 KB compressed: no page waits for another one
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A chunk needs no other chunk than these two, which the first page loads: see src/load-chunk.ts.
          groups: [
            { name: 'libraries', test: /node_modules[\\/](?!uplot)/ },
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/manage', '/unified', '/gateway', '/platforms', '/schemas', '/openapi.json', '/reference', '/errors'].map(
        (path) => [path, service],
      ),
    ),
  },
})
