// Runs before the first paint: applies the theme, and loads the page again when one of the files that it names fails to load.

// Follows the system until the user has chosen a theme.
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
  document.documentElement.dataset.theme =
    theme === 'light' || theme === 'dark' ? theme : system.matches ? 'dark' : 'light'
}
apply()
system.addEventListener('change', apply)
addEventListener('storage', apply)

// A module that failed stays failed until the document is loaded again, and without the entry script there is nothing to lose.
// The number of attempts survives the reload.
const delays = [500, 1500, 4000]
const storageKey = 'boot-attempts'
const attempts = (set) => {
  try {
    if (set !== undefined) sessionStorage.setItem(storageKey, String(set))
    return Number(sessionStorage.getItem(storageKey))
  } catch {
    return delays.length // without a count the attempts would never end
  }
}
let failed = false
let styled = true

async function loadAgain() {
  if (failed) return
  failed = true
  document.documentElement.style.visibility = 'hidden' // a page without its stylesheet is not shown
  for (let attempt = attempts(); attempt < delays.length; attempt++) {
    attempts(attempt + 1)
    await new Promise((resolve) => setTimeout(resolve, delays[attempt] * (1 + Math.random() / 4)))
    const page = await fetch(location.href).catch(() => undefined)
    if (page?.ok) return location.reload()
  }
  if (document.readyState === 'complete') showFailure()
  else addEventListener('load', showFailure)
}

function showFailure() {
  const element = (name, className, text = '', ...children) => {
    const made = document.createElement(name)
    made.className = className
    made.textContent = text
    made.append(...children)
    return made
  }
  const reload = element('button', 'button button-primary', 'Reload')
  reload.addEventListener('click', () => {
    attempts(0)
    location.reload()
  })
  const title = element('h1', '', 'The dashboard could not be loaded')
  const text = element(
    'p',
    'soft',
    'The service is busy, or this computer cannot reach it. Wait a moment, then reload the page.',
  )
  const main = element('main', 'sign-in', '', element('div', 'sign-in-box', '', title, text, reload))
  if (!styled)
    Object.assign(main.style, {
      maxWidth: '400px',
      margin: '20vh auto 0',
      padding: '0 16px',
      font: '14px/1.4 system-ui, sans-serif',
    })
  document.getElementById('root').hidden = true
  document.body.prepend(main)
  document.documentElement.style.visibility = ''
}

addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof Element) || !target.matches('script[type=module], link[rel=stylesheet]')) return
    if (target.matches('link')) styled = false
    void loadAgain()
  },
  true,
)
addEventListener('load', () => failed || attempts(0))
