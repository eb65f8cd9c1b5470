/** Text in backticks is code. */
export const Prose = ({ text }: { text: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
