// Opens a connect link in a popup. The page of the link reports its result to the origin that the link names.

export interface Connected {
  status: 'connected'
  accountId: string
  /** The `state` of the link. */
  state?: string
}
export interface Exit {
  /**
   * `cancelled`: the customer canceled. `closed`: the window was closed, or a page of the platform separated it from
   * this one, so the customer may still connect; ask your server for the link. `blocked`: the browser opened no window.
   */
  status: 'cancelled' | 'closed' | 'blocked'
  state?: string
}
export interface OpenOptions {
  /** The `url` of a connect link whose `popupOrigin` is the origin of this page. */
  url: string
  onSuccess(result: Connected): void
  onExit(exit: Exit): void
}
export interface ConnectWindow {
  focus(): void
  /** Closes the window without a report. */
  close(): void
}

const features = 'popup,width=520,height=760'
const checkMs = 500

/** Call it in the handler of a click, or the browser blocks the window. Exactly one of the functions is called, once. */
export function open({ url, onSuccess, onExit }: OpenOptions): ConnectWindow {
  const { origin } = new URL(url)
  const popup = window.open(url, '_blank', features)
  if (!popup) {
    onExit({ status: 'blocked' })
    return { focus() {}, close() {} }
  }
  let seenClosed = false
  // The report of a window that closes itself may arrive after it is closed, so the second check counts.
  const timer = setInterval(() => {
    if (popup.closed && seenClosed) end(() => onExit({ status: 'closed' }))
    seenClosed = popup.closed
  }, checkMs)
  function end(report: () => void): void {
    clearInterval(timer)
    window.removeEventListener('message', receive)
    report()
  }
  function receive({ source, origin: from, data }: MessageEvent): void {
    if (from !== origin || source !== popup) return
    const { status, accountId, state } = (data ?? {}) as Record<string, unknown>
    const more = typeof state === 'string' ? { state } : {}
    if (status === 'connected' && typeof accountId === 'string') end(() => onSuccess({ status, accountId, ...more }))
    else if (status === 'cancelled') end(() => onExit({ status, ...more }))
  }
  window.addEventListener('message', receive)
  return {
    focus: () => popup.focus(),
    close: () => end(() => popup.close()),
  }
}
