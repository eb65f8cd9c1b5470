// Ranks the search index of the site. docs-site.ts puts it in front of site.js; the tests call it without a browser.

/** How well a text has a word: 1 as a whole, in singular or plural, less as the beginning of another one. */
function matcher(word) {
  const stem = (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word).replaceAll(/[^\p{L}\p{N}_]/gu, '\\$&')
  const beginning = new RegExp(`(?<![\\p{L}\\p{N}])${stem}`, 'iu')
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])${stem}s?(?![\\p{L}\\p{N}])`, 'iu')
  return (text) => (beginning.test(text) ? (whole.test(text) ? 1 : 0.6) : 0)
}

/**
 * The pages and their sections, best first. What counts most is the title of a page, then a heading, what the index says
 * about the page, and the text. Only those with the most words are shown: all words, if any place has them.
 */
export function find(pages, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).map(matcher)
  if (words.length === 0) return []
  const found = pages.flatMap(({ name, title, label, about, background, sections }) => {
    /** Several words that all count are better than one that counts a lot. */
    const result = (heading, anchor, scores) => ({
      ...{ name, anchor, text: heading || label, detail: heading ? label : about },
      matched: scores.filter(Boolean).length,
      score: (scores.reduce((sum, one) => sum + one) + scores.length * Math.min(...scores)) * (background ? 0.3 : 1),
    })
    const titles = words.map((match) => match(`${label} ${title}`))
    const headings = sections.map(([heading]) => words.map((match) => match(heading)))
    const texts = sections.map(([heading, , text]) => words.map((match) => match(text) * (heading ? 1 : 2)))
    const best = (scores, at) => Math.max(0, ...scores.map((one) => one[at]))
    const page = words.map((match, at) => 10 * titles[at] + 6 * match(about) + best(headings, at) + best(texts, at))
    const others = sections.flatMap(([heading, anchor], index) => {
      const own = words.map((_, at) => 7 * headings[index][at] + 2 * texts[index][at])
      if (!heading || !own.some(Boolean)) return []
      const scores = own.map((score, at) => score + 3 * titles[at])
      return [result(heading, anchor, scores)]
    })
    return [result('', '', page), ...others]
  })
  const most = Math.max(1, ...found.map(({ matched }) => matched))
  return found
    .filter(({ matched }) => matched === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, 12)
}
