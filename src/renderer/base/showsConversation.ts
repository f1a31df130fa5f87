import type { OwnState } from '#shared/actions/windowSchemas.ts';

/** Returns whether the window shows the conversation. */
export const showsConversation = ({ view, startFailure }: OwnState): boolean =>
  view === 'conversation' && startFailure === null;
