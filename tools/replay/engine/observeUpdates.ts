import type { Update } from '#shared/protocol/update.ts';
import { type ReplayCode, appCode } from './code.ts';

/** Returns the app's own code with a decoder that reports each update: only the decoder decides what an update is. */
export const observeUpdates = (onUpdate: (update: Update, text: string) => void): ReplayCode => ({
  ...appCode,
  decodeUpdate: (text) => {
    const update = appCode.decodeUpdate(text);
    if (update.kind !== 'rejected') onUpdate(update, text ?? '');
    return update;
  },
});
