import type { WindowState } from '#shared/actions/windowSchemas.ts';

/** Returns whether the window shows the conversation. */
export const showsConversation = ({ view, startFailure }: WindowState): boolean =>
  view === 'conversation' && startFailure === null;
