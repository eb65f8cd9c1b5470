import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  // The strict policy of the service allows no inline script; current browsers preload modules by themselves.
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0, reportCompressedSize: true },
  server: { proxy: Object.fromEntries(['/manage', '/unified', '/gateway', '/platforms', '/schemas', '/openapi.json', '/reference', '/errors'].map((path) => [path, service])) },
})
