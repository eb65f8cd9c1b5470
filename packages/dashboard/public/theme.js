// Before the first paint, so that neither theme ever flashes the other one. Follows the system until somebody has chosen.
const system = matchMedia('(prefers-color-scheme: dark)')
const chosen = () => {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null // storage may be forbidden: then the system decides
  }
}
const apply = () => {
  const theme = chosen()
  document.documentElement.dataset.theme = theme === 'light' || theme === 'dark' ? theme : system.matches ? 'dark' : 'light'
}
apply()
system.addEventListener('change', apply)
addEventListener('storage', apply)
