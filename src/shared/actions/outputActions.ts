/** The actions of the window state about what leaves the window: copies, saved files, exports and prints. */
import { z } from 'zod';
import { ofWindowState } from './defineAction.ts';
import { wholeNumber } from './windowSchemas.ts';

const copy = z.strictObject({
  /** What was copied: a selection, a message in one of three forms, or a block of code. */
  kind: z.enum(['selection', 'text', 'markdown', 'html', 'code']),
  /** In UTF-16 units. */
  length: wholeNumber,
  outcome: z.enum(['copied', 'failed', 'cancelled']),
});
/** Something that a person copied. Its text is in no action. */
export type Copy = z.infer<typeof copy>;
export const copied = ofWindowState(
  'clipboard/copied',
  'Ctrl+C; the menu of a message; the button of a block of code; the end of a long copy',
  { payload: copy, codes: ['kind', 'outcome'] },
);

const saving = z.strictObject({
  message: wholeNumber,
  item: wholeNumber,
  by: z.enum(['viewer', 'link', 'menu']),
  /** Whether the browser has begun the download; `unreadable`: the item's blob is not base64. */
  outcome: z.enum(['started', 'unreadable']),
});
/** A saved image or file. Its name is in no action. */
export type Saving = z.infer<typeof saving>;
/** The person saved an image or a file of a message. How the download ended is in `download/ended`. */
export const itemSaved = ofWindowState(
  'item/saved',
  '*Save* in the viewer and in the menu of a message; the link of a file',
  { payload: saving, codes: ['by', 'outcome'] },
);

const work = z.enum(['export', 'print']);
/** The person exports the conversation in a format, or prints it (`null`). */
export const workStarted = ofWindowState(
  'work/started',
  'dialog *Export the conversation*; channel `print`',
  {
    payload: z.strictObject({ work, format: z.enum(['html', 'markdown', 'text']).nullable() }),
    codes: ['work', 'format'],
  },
);
/** `done`: the browser offers the exported file, or the print dialog was closed. */
export const workEnded = ofWindowState('work/ended', 'the end of an export or a print', {
  payload: z.strictObject({ work, outcome: z.enum(['done', 'cancelled', 'failed']) }),
  codes: ['work', 'outcome'],
});
