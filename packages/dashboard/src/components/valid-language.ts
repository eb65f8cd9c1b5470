// Chromium on a system without a language reports "en-US@posix", which Intl refuses. uPlot passes the language to Intl
// when it is loaded, so this module is imported before it.
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' })
}
