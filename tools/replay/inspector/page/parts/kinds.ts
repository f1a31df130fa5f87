import type { StepKind } from '../../protocol/protocol.ts';

/** The name and the sign of each kind of step. */
export const KINDS: Readonly<Record<StepKind, { readonly words: string; readonly sign: string }>> = {
  open: { words: 'open', sign: '●' },
  close: { words: 'close', sign: '○' },
  received: { words: 'received', sign: '↓' },
  rejected: { words: 'rejected', sign: '✕' },
  sent: { words: 'sent', sign: '↑' },
  action: { words: 'action', sign: '◆' },
  applied: { words: 'applied', sign: '✓' },
  ignored: { words: 'ignored', sign: '–' },
  notification: { words: 'notified', sign: '◔' },
  other: { words: 'other', sign: '·' },
};
