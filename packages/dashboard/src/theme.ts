export type Theme = 'system' | 'light' | 'dark'
const key = 'theme'

export function chosenTheme(): Theme {
  const chosen = localStorage.getItem(key)
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  dispatchEvent(new Event('storage')) // public/boot.js applies it
}
