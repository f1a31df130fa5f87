import type { ReactNode } from 'react';

/** Returns a component that shows a line drawing on a 24 by 24 grid in the colour of the text. Hidden from screen readers. */
const icon = (drawing: ReactNode) => () => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    {drawing}
  </svg>
);

export const PenIcon = icon(<path d="M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19z" />);
export const SpeakerIcon = icon(
  <path d="M4 9.5v5h3.5L12 19V5L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.6 7.6 0 0 1 0 11" />,
);
export const PlayIcon = icon(<path d="M8 5.5v13l10.5-6.5z" fill="currentColor" />);
export const StopIcon = icon(<rect x="7" y="7" width="10" height="10" rx="1.5" fill="currentColor" />);
export const MicrophoneIcon = icon(
  <>
    <rect x="9" y="3" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
  </>,
);
export const FileIcon = icon(
  <path d="M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5" />,
);
export const ClipIcon = icon(
  <path d="M19 11.5l-7.4 7.2a4.6 4.6 0 0 1-6.5-6.5l7.8-7.7a3.1 3.1 0 0 1 4.4 4.4l-7.7 7.6a1.6 1.6 0 0 1-2.2-2.2l6.8-6.7" />,
);
export const SendIcon = icon(<path d="M12 19V5.5M6 11l6-6 6 6" />);
export const MinimizeIcon = icon(<path d="M6 12.5h12" />);
export const CloseIcon = icon(<path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />);
export const OlderIcon = icon(<path d="M6.5 14.5L12 9l5.5 5.5" />);
export const NewerIcon = icon(<path d="M6.5 9.5L12 15l5.5-5.5" />);
export const LogOutIcon = icon(
  <path d="M10 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h4M15 8l4 4-4 4M19 12H9.5" />,
);
export const EyeIcon = icon(
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
    <circle cx="12" cy="12" r="2.8" />
  </>,
);
export const MenuIcon = icon(<path d="M5 7.5h14M5 12h14M5 16.5h14" />);
export const MoreIcon = icon(<path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth="2.5" />);
export const CheckIcon = icon(<path d="M5 12.5l4.5 4.5L19 7.5" />);
export const CopyIcon = icon(
  <path d="M9 8.5h9A1.5 1.5 0 0 1 19.5 10v9a1.5 1.5 0 0 1-1.5 1.5H9A1.5 1.5 0 0 1 7.5 19v-9A1.5 1.5 0 0 1 9 8.5zM4.5 15.5V5A1.5 1.5 0 0 1 6 3.5h9" />,
);
export const AgainIcon = icon(<path d="M18.5 8.5A7.5 7.5 0 1 0 19.5 13M19 4v4.5h-4.5" />);
export const NoticeIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11.5V16M12 8.25h.01" />
  </>,
);
