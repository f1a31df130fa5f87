/** What can happen at a step. */
export const STEP_KINDS = [
  'open',
  'close',
  'received',
  'rejected',
  'sent',
  'action',
  'applied',
  'ignored',
  'notification',
  'other',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];
