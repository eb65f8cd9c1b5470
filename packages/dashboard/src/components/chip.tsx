import { X } from '../lucide/icons.tsx'
import './chip.css'

/** A filter from a link, which has no input field. */
export const Chip = ({ label, value, onRemove }: { label: string; value: string; onRemove(): void }) => (
  <button type="button" className="chip" aria-label={`Remove filter: ${label} ${value}`} onClick={onRemove}>
    <span className="faint">{label}</span> <span className="mono">{value}</span> <X size={13} aria-hidden />
  </button>
)
