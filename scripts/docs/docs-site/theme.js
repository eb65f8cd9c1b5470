// Runs before the first paint. The choice is shared with the dashboard; without one, the system decides.
const system = matchMedia('(prefers-color-scheme: dark)')
const apply = () => {
  let theme = null
  try {
    theme = localStorage.getItem('theme')
  } catch {
    // Storage may be forbidden.
  }
  document.documentElement.dataset.theme =
    theme === 'light' || theme === 'dark' ? theme : system.matches ? 'dark' : 'light'
}
apply()
system.addEventListener('change', apply)
addEventListener('storage', apply)
