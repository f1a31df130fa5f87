import type { StepKind } from '../../protocol/protocol.ts';

/** The name and the sign of each kind of step. */
export const KINDS: Readonly<Record<StepKind, { readonly label: string; readonly sign: string }>> = {
  open: { label: 'open', sign: '●' },
  close: { label: 'close', sign: '○' },
  received: { label: 'received', sign: '↓' },
  rejected: { label: 'rejected', sign: '✕' },
  sent: { label: 'sent', sign: '↑' },
  action: { label: 'action', sign: '◆' },
  applied: { label: 'applied', sign: '✓' },
  ignored: { label: 'ignored', sign: '–' },
  notification: { label: 'notified', sign: '◔' },
  other: { label: 'other', sign: '·' },
};
