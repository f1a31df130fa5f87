/** What an update does in the client: the rows of spec §6.1. */
export type FrameKind = 'snapshot' | 'name' | 'message' | 'content' | 'context' | 'text' | 'notification';

/** By the first field of a frame of this platform, which is enough: the texts in it are not read. */
const KINDS: Readonly<Record<string, FrameKind>> = {
  person: 'snapshot',
  name: 'name',
  id: 'message',
  modifier: 'message',
  category: 'content',
  context: 'context',
  text: 'text',
};

const FIRST_FIELD = /^\{"(?<field>\w+)":/;

/** Returns the kind of a frame that this platform sends. */
export const frameKind = (frame: string): FrameKind =>
  KINDS[FIRST_FIELD.exec(frame)?.groups?.field ?? ''] ?? 'notification';
