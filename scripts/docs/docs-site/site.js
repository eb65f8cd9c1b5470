// Search (ranked by search.mjs), menu, theme, tabs and copy buttons. Every page can be read without it.
const root = document.documentElement
const all = (selector, from = document) => [...from.querySelectorAll(selector)]
const one = (selector, from = document) => from.querySelector(selector)
const element = (name, properties = {}, ...children) => {
  const { attributes = {}, ...rest } = properties
  const made = Object.assign(document.createElement(name), rest)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}
const stored = (key, value) => {
  try {
    if (value !== undefined) localStorage.setItem(key, value)
    return localStorage.getItem(key)
  } catch {
    return null // storage may be forbidden
  }
}

// Theme.
const themeButton = one('.theme')
const showTheme = () => themeButton.setAttribute('aria-pressed', String(root.dataset.theme === 'dark'))
themeButton.addEventListener('click', () => {
  stored('theme', root.dataset.theme === 'dark' ? 'light' : 'dark')
  dispatchEvent(new Event('storage')) // theme.js applies it
})
addEventListener('storage', showTheme)
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme)
showTheme()

// Menu of narrow screens.
const menu = one('.menu')
const navigation = one('.navigation')
const openMenu = (open) => {
  navigation.classList.toggle('open', open)
  menu.setAttribute('aria-expanded', String(open))
  menu.setAttribute('aria-label', open ? 'Close menu' : 'Menu')
}
menu.addEventListener('click', () => openMenu(menu.getAttribute('aria-expanded') !== 'true'))
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape' || menu.getAttribute('aria-expanded') !== 'true') return
  openMenu(false)
  menu.focus()
})
one('[aria-current]', navigation)?.scrollIntoView({ block: 'nearest' })

// Tabs: the chosen language applies to all pages.
const choose = (language, keepFocus) => {
  for (const tab of all('[role=tab]')) {
    const siblings = all('[role=tab]', tab.parentElement)
    if (!siblings.some(({ textContent }) => textContent === language)) continue
    const selected = tab.textContent === language
    tab.setAttribute('aria-selected', String(selected))
    tab.tabIndex = selected ? 0 : -1
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !selected
  }
  if (!keepFocus) stored('docs-language', language)
}
for (const [index, group] of all('.tabs').entries()) {
  const panels = all('section', group)
  const list = element('div', { attributes: { role: 'tablist', 'aria-label': 'Language' } })
  for (const [at, panel] of panels.entries()) {
    const id = `tabs-${index}-${at}`
    Object.assign(panel, { id, hidden: at > 0 })
    panel.setAttribute('role', 'tabpanel')
    panel.setAttribute('aria-labelledby', `${id}-tab`)
    const attributes = { role: 'tab', 'aria-controls': id, 'aria-selected': String(at === 0) }
    const tab = element('button', { type: 'button', id: `${id}-tab`, tabIndex: at === 0 ? 0 : -1, attributes })
    tab.textContent = panel.dataset.language
    tab.addEventListener('click', () => choose(tab.textContent))
    list.append(tab)
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next =
      list.children[([...list.children].indexOf(document.activeElement) + step + panels.length) % panels.length]
    choose(next.textContent)
    next.focus()
  })
  group.prepend(list)
}
const language = stored('docs-language')
if (language) choose(language, true)

// Copy buttons.
for (const block of all('.code')) {
  const button = element('button', { type: 'button', className: 'copy', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    const text = one('pre', block).textContent.trimEnd()
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not allowed',
    )
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  if (navigator.clipboard) block.append(button)
}

// What scrolls sideways can be reached with the keyboard.
const watched = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scrolls = target.scrollWidth > target.clientWidth
    for (const [name, value] of [
      ['tabindex', '0'],
      ['role', 'group'],
      ['aria-label', target.matches('pre') ? 'Code' : 'Table'],
    ])
      scrolls ? target.setAttribute(name, value) : target.removeAttribute(name)
  }
})
for (const block of all('pre, .table-frame')) watched.observe(block)

// The section that is read.
const outline = new Map(all('.outline a').map((link) => [link.hash.slice(1), link]))
const mark = () => {
  const read = all('article [id]').filter(({ id, ...heading }) => outline.has(id) && heading)
  const current = read.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? read[0]
  for (const [id, link] of outline)
    current?.id === id ? link.setAttribute('aria-current', 'true') : link.removeAttribute('aria-current')
}
if (outline.size > 0) {
  let waiting = false
  addEventListener(
    'scroll',
    () => {
      if (waiting) return
      waiting = true
      requestAnimationFrame(() => {
        waiting = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}

// Search.
const input = element('input', {
  type: 'text',
  placeholder: 'Search the documentation',
  autocomplete: 'off',
  spellcheck: false,
  attributes: {
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-expanded': 'false',
    'aria-controls': 'results',
    'aria-autocomplete': 'list',
  },
})
const results = element('div', { id: 'results', attributes: { role: 'listbox', 'aria-label': 'Results' } })
const status = element('p', { className: 'status', attributes: { role: 'status' } })
const dialog = element('dialog', { attributes: { 'aria-label': 'Search' } }, input, results, status)
document.body.append(dialog)
let index
const load = () => {
  index ??= fetch(root.dataset.search).then((response) => response.json())
  index.catch(() => (index = undefined))
  return index
}

function select(next) {
  const options = all('[role=option]', results)
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  const chosen = options.at((next ? at + next : 0) % options.length)
  for (const option of options) option.setAttribute('aria-selected', String(option === chosen))
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id)
  else input.removeAttribute('aria-activedescendant')
  chosen?.scrollIntoView({ block: 'nearest' })
}
async function show() {
  const query = input.value.trim()
  let found = []
  try {
    found = query ? find(await load(), query) : []
  } catch {
    status.textContent = 'The search index could not be loaded. Try again.'
    return
  }
  if (query !== input.value.trim()) return // another one is under way
  results.replaceChildren(
    ...found.map(({ name, anchor, text, detail }, at) =>
      element(
        'a',
        {
          id: `result-${at}`,
          href: `${root.dataset.root}${name}${anchor ? `#${anchor}` : ''}`,
          tabIndex: -1,
          attributes: { role: 'option', 'aria-selected': 'false' },
        },
        text,
        element('span', { textContent: detail }),
      ),
    ),
  )
  input.setAttribute('aria-expanded', String(found.length > 0))
  status.textContent = !query
    ? 'Type what you look for.'
    : found.length > 0
      ? `${found.length} results`
      : 'Nothing found.'
  select()
}
const openSearch = () => {
  if (dialog.open) return
  openMenu(false)
  dialog.showModal()
  input.select()
  load().catch(() => {})
  void show()
}
input.addEventListener('input', show)
input.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step) {
    event.preventDefault()
    select(step)
  } else if (event.key === 'Enter') one('[aria-selected=true]', results)?.click()
})
results.addEventListener('click', () => dialog.close())
dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
one('.search-button').addEventListener('click', openSearch)
addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.matches('input, textarea, select')
  const shortcut = (event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !typing)
  if (!shortcut) return
  event.preventDefault()
  openSearch()
})
for (const button of all('header button')) button.hidden = false
