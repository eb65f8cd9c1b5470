// One tooltip for the whole page, above everything, so that scrolling tables do not clip it.
import { type FocusEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './tooltip.css'

interface Shown {
  text: string
  owner: HTMLElement
}
let show: (shown: Shown | undefined) => void = () => {}

/** Spread on any focusable element. */
export const withTooltip = (text: string) => ({
  onPointerEnter: (event: PointerEvent<HTMLElement>) =>
    event.pointerType === 'mouse' && show({ text, owner: event.currentTarget }),
  onPointerLeave: () => show(undefined),
  onFocus: (event: FocusEvent<HTMLElement>) =>
    event.currentTarget.matches(':focus-visible') && show({ text, owner: event.currentTarget }),
  onBlur: () => show(undefined),
})

export function TooltipLayer() {
  const [shown, setShown] = useState<Shown>()
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    show = setShown
    const hide = (event: Event) =>
      event instanceof KeyboardEvent && event.key !== 'Escape' ? undefined : setShown(undefined)
    window.addEventListener('scroll', hide, true)
    window.addEventListener('keydown', hide)
    return () => {
      show = () => {}
      window.removeEventListener('scroll', hide, true)
      window.removeEventListener('keydown', hide)
    }
  }, [])
  useLayoutEffect(() => {
    const element = layer.current
    if (!element || !shown) return undefined
    // Modal dialogs are in the top layer, so their tooltips must be too.
    element.showPopover()
    const owner = shown.owner.getBoundingClientRect()
    const own = element.getBoundingClientRect()
    const above = owner.top - own.height - 6
    element.style.left = `${Math.max(8, Math.min(owner.left + owner.width / 2 - own.width / 2, innerWidth - own.width - 8))}px`
    element.style.top = `${above > 8 ? above : owner.bottom + 6}px`
    // The owner may leave the page without an event, for example with its dialog when the user goes back.
    const changes = new MutationObserver(() => shown.owner.isConnected || setShown(undefined))
    changes.observe(document.body, { childList: true, subtree: true })
    return () => changes.disconnect()
  }, [shown])
  if (!shown) return null
  return (
    <div ref={layer} popover="manual" role="tooltip" className="tooltip">
      {shown.text.split('\n').map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  )
}
