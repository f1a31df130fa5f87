import { z } from 'zod';
import { boardActions } from './board.ts';

const card = z.object({ id: z.string(), title: z.string() });
const column = z.object({ id: z.string(), title: z.string(), cards: z.array(card) });

/** The frames of the server, by type, with the action of each. */
const FRAMES = {
  board: z.object({ columns: z.array(column) }).transform(boardActions.received),
  cardAdded: z.object({ column: z.string(), card }).transform(boardActions.cardAdded),
  cardMoved: z.object({ id: z.string(), column: z.string() }).transform(boardActions.cardMoved),
  cardRenamed: card.transform(boardActions.cardRenamed),
  cardRemoved: z.object({ id: z.string() }).transform(boardActions.cardRemoved),
  people: z.object({ names: z.array(z.string()) }).transform(boardActions.peopleChanged),
} as const;

type Frames = typeof FRAMES;
/** An action of the board that a frame caused. */
export type BoardAction = z.output<Frames[keyof Frames]>;

/** A frame that the app does not accept, with the path of the field that is wrong. */
interface Rejection {
  readonly rejected: string;
  readonly where?: string;
}

/** Decodes a frame of the server to an action. A frame of an unknown type is rejected: a newer server may send it. */
export function decodeFrame(data: string | Uint8Array): { update: BoardAction } | Rejection {
  if (typeof data !== 'string') return { rejected: 'not text' };
  let frame: unknown;
  try {
    frame = JSON.parse(data);
  } catch {
    return { rejected: 'not JSON' };
  }
  const type = z.object({ type: z.string() }).safeParse(frame).data?.type ?? '';
  if (!isKnown(type)) return { rejected: 'unknown type' };
  const decoded = FRAMES[type].safeParse(frame);
  if (decoded.success) return { update: decoded.data };
  return { rejected: 'wrong field', where: decoded.error.issues[0]?.path.join('.') ?? '' };
}

const isKnown = (type: string): type is keyof Frames => Object.hasOwn(FRAMES, type);
