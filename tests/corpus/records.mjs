/** Creates the records of generated captures. Times are in milliseconds since the start of the recording. */

/** The header of every generated capture. */
export const HEADER = {
  format: 'parley-capture',
  version: 2,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.2.0',
};

/** Returns the record of a received frame: a text as it is, any other value as JSON. */
export const received = (t, frame) => ({
  t,
  type: 'recv',
  data: typeof frame === 'string' ? frame : JSON.stringify(frame),
});

/** Returns the records of frames that are received one after the other, `ms` apart. */
export const receivedEach = (start, frames, ms = 1) =>
  frames.map((frame, i) => received(start + i * ms, frame));

/** Returns the record of an action of main. */
export const action = (t, type, payload) => ({
  t,
  type: 'action',
  action: payload === undefined ? { type } : { type, payload },
});

/** Returns the record of a window's own action. */
export const ownAction = (t, window, [type, payload]) => ({ ...action(t, type, payload), window });

/** Returns the records of actions, given as `[type, payload]`, that are dispatched 10 ms apart. */
export const actions = (start, list) =>
  list.map(([type, payload], i) => action(start + i * 10, type, payload));

/** Returns the records of a window's own actions, given as `[type, payload]`, that are dispatched 10 ms apart. */
export const ownActions = (start, window, list) =>
  list.map((one, i) => ownAction(start + i * 10, window, one));

/** Returns a content item of text. */
export const textItem = (text) => ({ category: 'text', text });

/** Returns the launch, the open socket and the first snapshot, with which most captures begin. */
export const beginning = (messages = []) => [
  { t: 0, type: 'launch' },
  { t: 0, type: 'open' },
  received(5, { person: 'Ada Lovelace', messages }),
];
