import { Dialog } from '../components/dialog.tsx'

const isMac = navigator.platform.startsWith('Mac')
export const searchKeys = isMac ? '⌘K' : 'Ctrl K'

const groups: readonly { title: string; shortcuts: readonly (readonly [keys: string, what: string])[] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      [searchKeys, 'Search accounts, pages and requests'],
      ['?', 'Show this list'],
      ['Esc', 'Close a dialog, a menu or the navigation'],
    ],
  },
  {
    title: 'Explorer',
    shortcuts: [
      ['↑ ↓', 'Previous or next record, or field'],
      ['← →', 'Fold or unfold a field'],
      ['Enter', 'Switch between the unified and the native field'],
    ],
  },
]

/** Whether a key press is text for a field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))

export function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {groups.map(({ title, shortcuts }) => (
        <section key={title} className="shortcuts">
          <h3>{title}</h3>
          <dl>
            {shortcuts.map(([keys, what]) => (
              <div key={keys}>
                <dt>{what}</dt>
                <dd>
                  {keys.split(/(?<=[↑←]) /).map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
