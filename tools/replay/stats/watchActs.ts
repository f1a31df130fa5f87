import { ACT_ENTRIES } from '#shared/actions/actEntries.ts';
import { OWN_ENTRIES } from '#shared/actions/ownEntries.ts';
import { type CaptureRecord, isKnown } from '#shared/capture/format.ts';
import { recordedAction } from '#shared/capture/recordedAction.ts';
import { windowClosed, windowOpened } from '#shared/window/windows.ts';
import { type Tally, tally } from './watchTraffic.ts';

/** Counts what the person did, and the windows. Actions that rebuild the state at the start of a capture (`synthetic`) are not acts. */
export function watchActs() {
  const acts: Tally = {};
  const own: Tally = {};
  const open = new Set<number>();
  const windows = { opened: 0, closed: 0, mostOpen: 0 };
  return {
    take(record: CaptureRecord) {
      if (!isKnown(record) || record.type !== 'action') return;
      const action = recordedAction(record);
      if (action === undefined) return;
      const isNew = record.synthetic === undefined;
      if (windowOpened.match(action)) {
        open.add(action.payload.number);
        windows.mostOpen = Math.max(windows.mostOpen, open.size);
        if (isNew) windows.opened++;
      } else if (windowClosed.match(action)) {
        open.delete(action.payload.number);
        windows.closed++;
      } else if (isNew && Object.hasOwn(ACT_ENTRIES, action.type)) tally(acts, action.type);
      else if (isNew && Object.hasOwn(OWN_ENTRIES, action.type)) tally(own, action.type);
    },
    /** The acts by type; the windows that opened and closed, the most at the same time, and their own actions by type. */
    counts: () => ({ acts, windows: { ...windows, actions: own } }),
  };
}
