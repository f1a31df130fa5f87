import type { AppAdapter } from '@parley/replay';
import { type BoardState, boardReducer } from './app/board.ts';
import { boardView } from './app/boardView.ts';
import { type BoardAction, decodeFrame } from './app/decodeFrame.ts';

/** Replays the frames of the task board. It has no queue: each update is applied when it is received. */
export const adapter: AppAdapter<BoardState, BoardAction> = {
  name: 'task-board',
  decode: decodeFrame,
  kind: ({ type }) => type.replace('board/', ''),
  initialState: boardReducer(undefined, { type: 'adapter/created' }),
  reduce: boardReducer,
  reduceAction: boardReducer,
  display: boardView,
  pane: './pane.ts',
  redact: { codes: ['type', 'column', 'id'] },
};
