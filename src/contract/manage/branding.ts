// How the pages for customers present a workspace.
import { named, optional, text } from '../schema.ts'

export const branding = named('Branding', {
  name: optional(text('By default the name of the workspace', { minLength: 1, maxLength: 100 })),
  logo: optional(
    text('PNG, JPEG or WebP image of at most 64 KiB, as a data URL: `data:image/png;base64,…`', { maxLength: 90_000 }),
  ),
  color: optional(
    text('Of buttons, such as `#1f5fd0`; needs a contrast of at least 4.5 with white text', { maxLength: 7 }),
  ),
  privacyUrl: optional(text('Your privacy policy: https, or http on localhost', { maxLength: 2000 })),
  purpose: optional(
    text('Why customers are asked to connect; shown as written, in every language', { minLength: 1, maxLength: 300 }),
  ),
})
