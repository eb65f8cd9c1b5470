// The icons of the dashboard, from Lucide (https://lucide.dev, see LICENSE), whose package has 4 800 files. For another
// one, copy what is in the `svg` of its page.
import { icon } from './icon.tsx'

export const Activity = icon(
  <path
    d="M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0l-2.35
      8.36A2 2 0 0 1 4.49 12H2"
  />,
)
export const ArrowDown = icon(<path d="M12 5v14M19 12l-7 7-7-7" />)
export const ArrowLeft = icon(<path d="M12 19l-7-7 7-7M19 12H5" />)
export const ArrowLeftRight = icon(<path d="M8 3 4 7l4 4M4 7h16M16 21l4-4-4-4M20 17H4" />)
export const ArrowUp = icon(<path d="M5 12l7-7 7 7M12 19V5" />)
export const Ban = icon(
  <>
    <path d="M4.929 4.929 19.07 19.071" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const Bell = icon(
  <path
    d="M10.268 21a2 2 0 0 0 3.464 0M3.262 15.326A1 1 0 0 0 4 17h16a1 1 0 0 0 .74-1.673C19.41 13.956 18
      12.499 18 8A6 6 0 0 0 6 8c0 4.499-1.411 5.956-2.738 7.326"
  />,
)
export const Blocks = icon(
  <>
    <path d="M10 22V7a1 1 0 0 0-1-1H4a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5a1 1 0 0 0-1-1H2" />
    <rect x="14" y="2" width="8" height="8" rx="1" />
  </>,
)
export const BookOpen = icon(
  <path
    d="M12 5v16M20.001 19A2 2 0 0022 17V5a2 2 0 00-1.999-2L16 3.002A5 5 0 0012 5a5 5 0 00-4-2H4a2 2 0 00-2
      2v12a2 2 0 001.999 2H8a5 5 0 014 2 5 5 0 014-2z"
  />,
)
export const Braces = icon(
  <path
    d="M8 3H7a2 2 0 0 0-2 2v5a2 2 0 0 1-2 2 2 2 0 0 1 2 2v5c0 1.1.9 2 2 2h1M16 21h1a2 2 0 0 0 2-2v-5
      c0-1.1.9-2 2-2a2 2 0 0 1-2-2V5a2 2 0 0 0-2-2h-1"
  />,
)
export const Check = icon(<path d="M20 6 9 17l-5-5" />)
export const ChevronLeft = icon(<path d="M15 18l-6-6 6-6" />)
export const ChevronRight = icon(<path d="M9 18l6-6-6-6" />)
export const ChevronsLeft = icon(<path d="M11 17l-5-5 5-5M18 17l-5-5 5-5" />)
export const ChevronsUpDown = icon(<path d="M7 15l5 5 5-5M7 9l5-5 5 5" />)
export const CircleAlert = icon(
  <>
    <path d="M12 8L12 12M12 16L12.01 16" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const CircleCheck = icon(
  <>
    <path d="M16 9l-5.5 5.5L8 12" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const CircleDashed = icon(
  <path
    d="M10.1 2.182a10 10 0 0 1 3.8 0M13.9 21.818a10 10 0 0 1-3.8 0M17.609 3.721a10 10 0 0 1 2.69 2.7M2.182
      13.9a10 10 0 0 1 0-3.8M20.279 17.609a10 10 0 0 1-2.7 2.69M21.818 10.1a10 10 0 0 1 0 3.8M3.721 6.391
      a10 10 0 0 1 2.7-2.69M6.391 20.279a10 10 0 0 1-2.69-2.7"
  />,
)
export const CircleHelp = icon(
  <>
    <path d="M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17h.01" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const CircleMinus = icon(
  <>
    <path d="M8 12h8" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const CircleUserRound = icon(
  <>
    <path d="M17.925 20.056a6 6 0 0 0-11.851.001" />
    <circle cx="12" cy="11" r="4" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const CircleX = icon(
  <>
    <path d="M15 9l-6 6M9 9l6 6" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const CloudOff = icon(
  <path
    d="M10.94 5.274A7 7 0 0 1 15.71 10h1.79a4.5 4.5 0 0 1 4.222 6.057M18.796 18.81A4.5 4.5 0 0 1 17.5 19H9
      A7 7 0 0 1 5.79 5.78M2 2l20 20"
  />,
)
export const Copy = icon(
  <>
    <path d="M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2" />
    <rect width="14" height="14" x="8" y="8" rx="2" ry="2" />
  </>,
)
export const CornerDownLeft = icon(<path d="M20 4v7a4 4 0 0 1-4 4H4M9 10l-5 5 5 5" />)
export const Download = icon(<path d="M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5" />)
export const Ellipsis = icon(
  <>
    <circle cx="12" cy="12" r="1" />
    <circle cx="19" cy="12" r="1" />
    <circle cx="5" cy="12" r="1" />
  </>,
)
export const ExternalLink = icon(
  <path d="M15 3h6v6M10 14 21 3M18 13v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h6" />,
)
export const FileUp = icon(
  <path
    d="M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2
      0 0 1-2 2zM14 2v5a1 1 0 0 0 1 1h5M12 12v6M15 15l-3-3-3 3"
  />,
)
export const FlaskConical = icon(
  <path
    d="M14 2v6a2 2 0 0 0 .245.96l5.51 10.08A2 2 0 0 1 18 22H6a2 2 0 0 1-1.755-2.96l5.51-10.08A2 2 0 0 0 10
      8V2M6.453 15h11.094M8.5 2h7"
  />,
)
export const FlaskConicalOff = icon(
  <path
    d="M10 2v2.343M14 2v6.343M2 2l20 20M20 20a2 2 0 0 1-2 2H6a2 2 0 0 1-1.755-2.96l5.227-9.563M6.453 15H15
      M8.5 2h7"
  />,
)
export const History = icon(<path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5M12 7v5l4 2" />)
export const Import = icon(
  <path d="M12 3v12M8 11l4 4 4-4M8 5H4a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2h-4" />,
)
export const Inbox = icon(
  <>
    <path
      d="M5.45 5.11 2 12v6a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-6l-3.45-6.89A2 2 0 0 0 16.76 4H7.24a2 2 0 0 0-1.79
      1.11z"
    />
    <polyline points="22 12 16 12 14 15 10 15 8 12 2 12" />
  </>,
)
export const Info = icon(
  <>
    <path d="M12 16v-4M12 8h.01" />
    <circle cx="12" cy="12" r="10" />
  </>,
)
export const KeyRound = icon(
  <>
    <path
      d="M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1
      v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z"
    />
    <circle cx="16.5" cy="7.5" r=".5" fill="currentColor" />
  </>,
)
export const Keyboard = icon(
  <>
    <path d="M10 8h.01M12 12h.01M14 8h.01M16 12h.01M18 8h.01M6 8h.01M7 16h10M8 12h.01" />
    <rect width="20" height="16" x="2" y="4" rx="2" />
  </>,
)
export const LayoutDashboard = icon(
  <>
    <rect width="7" height="9" x="3" y="3" rx="1" />
    <rect width="7" height="5" x="14" y="3" rx="1" />
    <rect width="7" height="9" x="14" y="12" rx="1" />
    <rect width="7" height="5" x="3" y="16" rx="1" />
  </>,
)
export const Link = icon(
  <path
    d="M10 13a5 5 0 0 0 7.54.54l3-3a5 5 0 0 0-7.07-7.07l-1.72 1.71M14 11a5 5 0 0 0-7.54-.54l-3 3a5 5 0 0 0
      7.07 7.07l1.71-1.71"
  />,
)
export const Link2 = icon(<path d="M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 1 1 0 10h-2M8 12L16 12" />)
export const ListFilter = icon(<path d="M2 5h20M6 12h12M9 19h6" />)
export const LoaderCircle = icon(<path d="M21 12a9 9 0 1 1-6.219-8.56" />)
export const LogIn = icon(<path d="M10 17l5-5-5-5M15 12H3M15 3h4a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-4" />)
export const LogOut = icon(<path d="M16 17l5-5-5-5M21 12H9M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4" />)
export const Menu = icon(<path d="M4 5h16M4 12h16M4 19h16" />)
export const Minus = icon(<path d="M5 12h14" />)
export const Monitor = icon(
  <>
    <path d="M8 21L16 21M12 17L12 21" />
    <rect width="20" height="14" x="2" y="3" rx="2" />
  </>,
)
export const Moon = icon(
  <path
    d="M20.985 12.486a9 9 0 1 1-9.473-9.472c.405-.022.617.46.402.803a6 6 0 0 0 8.268 8.268
      c.344-.215.825-.004.803.401"
  />,
)
export const Pause = icon(
  <>
    <rect x="14" y="3" width="5" height="18" rx="1" />
    <rect x="5" y="3" width="5" height="18" rx="1" />
  </>,
)
export const PenLine = icon(
  <path
    d="M13 21h8M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0
      0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z"
  />,
)
export const Pencil = icon(
  <path
    d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622
      l4.353-1.32a2 2 0 0 0 .83-.497zM15 5l4 4"
  />,
)
export const Play = icon(
  <path d="M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z" />,
)
export const Plug = icon(
  <path d="M12 22v-5M15 8V2M17 8a1 1 0 0 1 1 1v4a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V9a1 1 0 0 1 1-1zM9 8V2" />,
)
export const Plus = icon(<path d="M5 12h14M12 5v14" />)
export const Radio = icon(
  <>
    <path
      d="M16.247 7.761a6 6 0 0 1 0 8.478M19.075 4.933a10 10 0 0 1 0 14.134M4.925 19.067a10 10 0 0 1 0-14.134
      M7.753 16.239a6 6 0 0 1 0-8.478"
    />
    <circle cx="12" cy="12" r="2" />
  </>,
)
export const RefreshCw = icon(
  <path
    d="M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0
      1-6.74-2.74L3 16M8 16H3v5"
  />,
)
export const Repeat2 = icon(<path d="M2 9l3-3 3 3M13 18H7a2 2 0 0 1-2-2V6M22 15l-3 3-3-3M11 6h6a2 2 0 0 1 2 2v10" />)
export const RotateCcw = icon(<path d="M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5" />)
export const RotateCw = icon(<path d="M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8M21 3v5h-5" />)
export const Save = icon(
  <path
    d="M15.2 3a2 2 0 0 1 1.4.6l3.8 3.8a2 2 0 0 1 .6 1.4V19a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z
      M17 21v-7a1 1 0 0 0-1-1H8a1 1 0 0 0-1 1v7M7 3v4a1 1 0 0 0 1 1h7"
  />,
)
export const ScrollText = icon(
  <path
    d="M15 12h-5M15 8h-5M19 17V5a2 2 0 0 0-2-2H4M8 21h12a2 2 0 0 0 2-2v-1a1 1 0 0 0-1-1H11a1 1 0 0 0-1 1v1
      a2 2 0 1 1-4 0V5a2 2 0 1 0-4 0v2a1 1 0 0 0 1 1h3"
  />,
)
export const Search = icon(
  <>
    <path d="M21 21l-4.34-4.34" />
    <circle cx="11" cy="11" r="8" />
  </>,
)
export const SearchX = icon(
  <>
    <path d="M13.5 8.5l-5 5M8.5 8.5l5 5M21 21l-4.3-4.3" />
    <circle cx="11" cy="11" r="8" />
  </>,
)
export const Send = icon(
  <path
    d="M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93
      3.18a2 2 0 0 1 1.112 1.11zM21.854 2.147l-10.94 10.939"
  />,
)
export const Settings = icon(
  <>
    <path
      d="M9.671 4.136a2.34 2.34 0 0 1 4.659 0 2.34 2.34 0 0 0 3.319 1.915 2.34 2.34 0 0 1 2.33 4.033 2.34
      2.34 0 0 0 0 3.831 2.34 2.34 0 0 1-2.33 4.033 2.34 2.34 0 0 0-3.319 1.915 2.34 2.34 0 0 1-4.659 0
      2.34 2.34 0 0 0-3.32-1.915 2.34 2.34 0 0 1-2.33-4.033 2.34 2.34 0 0 0 0-3.831A2.34 2.34 0 0 1 6.35
      6.051a2.34 2.34 0 0 0 3.319-1.915"
    />
    <circle cx="12" cy="12" r="3" />
  </>,
)
export const Shapes = icon(
  <>
    <path d="M8.3 10a.7.7 0 0 1-.626-1.079L11.4 3a.7.7 0 0 1 1.198-.043L16.3 8.9a.7.7 0 0 1-.572 1.1Z" />
    <rect x="3" y="14" width="7" height="7" rx="1" />
    <circle cx="17.5" cy="17.5" r="3.5" />
  </>,
)
export const ShieldCheck = icon(
  <path
    d="M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2
      6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zM9 12l2 2 4-4"
  />,
)
export const ShieldOff = icon(
  <path
    d="M2 2l20 20M5 5a1 1 0 0 0-1 1v7c0 5 3.5 7.5 7.67 8.94a1 1 0 0 0 .67.01c2.35-.82 4.48-1.97 5.9-3.71
      M9.309 3.652A12.252 12.252 0 0 0 11.24 2.28a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1
      1v7a9.784 9.784 0 0 1-.08 1.264"
  />,
)
export const Square = icon(<rect width="18" height="18" x="3" y="3" rx="2" />)
export const SquareTerminal = icon(
  <>
    <path d="M7 11l2-2-2-2M11 13h4" />
    <rect width="18" height="18" x="3" y="3" rx="2" ry="2" />
  </>,
)
export const Sun = icon(
  <>
    <path
      d="M12 2v2M12 20v2M4.93 4.93l1.41 1.41M17.66 17.66l1.41 1.41M2 12h2M20 12h2M6.34 17.66l-1.41 1.41M19.07
      4.93l-1.41 1.41"
    />
    <circle cx="12" cy="12" r="4" />
  </>,
)
export const Trash2 = icon(
  <path
    d="M10 11v6M14 11v6M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2
      v2"
  />,
)
export const TriangleAlert = icon(
  <path d="M21.73 18l-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01" />,
)
export const Undo2 = icon(<path d="M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11" />)
export const UserMinus = icon(
  <>
    <path d="M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M22 11L16 11" />
    <circle cx="9" cy="7" r="4" />
  </>,
)
export const UserRound = icon(
  <>
    <path d="M20 21a8 8 0 0 0-16 0" />
    <circle cx="12" cy="8" r="5" />
  </>,
)
export const Users = icon(
  <>
    <path d="M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2M16 3.128a4 4 0 0 1 0 7.744M22 21v-2a4 4 0 0 0-3-3.87" />
    <circle cx="9" cy="7" r="4" />
  </>,
)
export const Waypoints = icon(
  <>
    <path d="M10.586 5.414l-5.172 5.172M18.586 13.414l-5.172 5.172M6 12h12" />
    <circle cx="12" cy="20" r="2" />
    <circle cx="12" cy="4" r="2" />
    <circle cx="20" cy="12" r="2" />
    <circle cx="4" cy="12" r="2" />
  </>,
)
export const Webhook = icon(
  <path
    d="M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2M6 17l3.13-5.78
      c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06M12 6l3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8"
  />,
)
export const X = icon(<path d="M18 6 6 18M6 6l12 12" />)
export const Zap = icon(
  <path
    d="M15.914 4a1.5 1.5 0 00-2.474-1.561l-9 9A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20a1.5 1.5
      0 002.475 1.56l9-9A1.5 1.5 0 0018.5 10h-3.997a.5.5 0 01-.472-.667z"
  />,
)
