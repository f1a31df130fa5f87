import type { UnknownAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { Update } from '#shared/protocol/update.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';
import type { RendererWindow } from './renderer.ts';

/** A window with a fake main, and its session as main records it. */
export interface RecordedSession {
  readonly records: readonly CaptureRecord[];
  /** Returns the number of the inspector's last step so far. */
  step(): Promise<number>;
  signedIn(): Promise<void>;
  apply(...updates: readonly Update[]): Promise<void>;
  /** Dispatches actions of main. */
  dispatch(...actions: readonly UnknownAction[]): Promise<void>;
  closed(reason: string): Promise<void>;
}

/** Between two records, milliseconds: an update has its tick before the next record. */
const PAUSE_MS = 150;

const reportsSchema = z.array(
  z.tuple([z.number(), z.object({ type: z.string(), payload: z.unknown().optional() })]),
);

/** Records the session of a window that has just loaded. */
export function recordSession(renderer: RendererWindow): RecordedSession {
  const records: CaptureRecord[] = [];
  let t = 0;
  let updates = 0;
  const add = (record: object) => records.push({ t: (t += PAUSE_MS), type: '', ...record });
  const addAction = (action: object, source = {}) => add({ type: 'action', action, ...source });
  const takeReports = async () => {
    const taken = await renderer.page.evaluate(() => window.reports.splice(0));
    for (const [, { type, payload }] of reportsSchema.parse(taken))
      addAction({ type, payload }, { window: 1 });
  };
  const { type, payload } = windowOpened(1);
  addAction({ type, payload });
  return {
    records,
    async step() {
      await takeReports();
      return records.length + updates;
    },
    async signedIn() {
      await renderer.account('account-1');
      await takeReports();
      add({ type: 'launch' });
    },
    async apply(...applied) {
      for (const update of applied) {
        updates++;
        add({ type: 'recv', data: JSON.stringify(update.frame) });
      }
      await renderer.apply(...applied);
    },
    async dispatch(...actions) {
      for (const action of actions) addAction(action);
      await renderer.dispatch(...actions);
    },
    async closed(reason) {
      add({ type: 'close', code: 1000, reason });
      await renderer.disconnected(reason);
    },
  };
}
