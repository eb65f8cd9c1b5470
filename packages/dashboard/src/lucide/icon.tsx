import type { ReactElement, ReactNode, SVGProps } from 'react'

export type Icon = (properties: SVGProps<SVGSVGElement> & { size?: number }) => ReactElement

/** Not for screen readers by itself: a word or a label is always beside it. */
export const icon =
  (shapes: ReactNode): Icon =>
  ({ size = 24, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {shapes}
    </svg>
  )
