import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './base.css'

// A page whose files are gone since the dashboard was updated: the new one is loaded, once.
addEventListener('vite:preloadError', (event) => {
  const last = Number(sessionStorage.getItem('reloaded'))
  if (Date.now() - last < 10_000) return
  sessionStorage.setItem('reloaded', String(Date.now()))
  event.preventDefault()
  location.reload()
})

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
