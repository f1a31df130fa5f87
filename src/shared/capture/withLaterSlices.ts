import { isJsonObject } from '../json.ts';
import { stateReported } from '../actions/windowActions.ts';

/** The slices that a window's state got after the first captures of it, with their initial values. */
const LATER_SLICES = {
  find: null,
  place: { leftAt: null, divider: null },
  viewer: null,
  page: null,
  scrolledTo: null,
  expanded: [],
  viewerZoom: { factor: 1, x: 0, y: 0 },
  messageMenu: null,
};

interface RecordedPayload {
  readonly type: string;
  readonly payload?: unknown;
}

/** Returns the payload of an action. A state that lacks later slices, because its capture is older, gets them. */
export function withLaterSlices({ type, payload }: RecordedPayload): unknown {
  if (type !== stateReported.type || !isJsonObject(payload)) return payload;
  return { ...payload, state: { ...LATER_SLICES, ...Object(payload.state) } };
}
