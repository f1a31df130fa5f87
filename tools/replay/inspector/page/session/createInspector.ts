import type { ParleyInspectBridge } from '#shared/ipc/channels.ts';
import { type InspectorClient, SupersededError } from '../../protocol/client.ts';
import type { SessionInfo, Source, Start } from '../../protocol/protocol.ts';
import { type Core, createCore, createStore } from './core.ts';
import { type Navigate, createNavigate } from './navigate.ts';
import { createOpen } from './openCapture.ts';
import { type Breakpoints, type Frames, type Play, createBreakpoints, createPlay } from './play.ts';
import { type Search, createSearch } from './search.ts';
import { copyLink, followHash } from './share.ts';
import { type InspectorState, initialState } from './state.ts';
import { type List, type TimelineControl, createList, createTimeline } from './timeline.ts';
import { type WhatIf, createWhatIf } from './whatIf.ts';

/** The functions of the page on a session. */
export interface Inspector extends Pick<Core, 'client' | 'store' | 'notify' | 'fail'> {
  /** Navigation by the person: it pauses playing and stops following a live session. */
  readonly navigate: Navigate;
  readonly list: List;
  readonly timeline: TimelineControl;
  readonly play: Play;
  readonly search: Search;
  readonly breakpoints: Breakpoints;
  readonly whatIf: WhatIf;
  open(source: Source, start?: Start): Promise<void>;
  openLive(lines: ParleyInspectBridge): () => void;
  /** Starts or stops following the end of a live session. */
  follow(follows: boolean): void;
  copyLink(): Promise<void>;
  /** Goes to the next or previous error of the session. */
  goToError(direction: 'forward' | 'backward'): void;
  followHash(): () => void;
}

/** What the inspector needs from its page. */
interface View extends Frames {
  /** The height of the page, in pixels. */
  height(): number;
  /** Whether the list shows consecutive edits of one field as one row. */
  readonly foldsEdits?: boolean;
}

/** Creates the inspector of a page. */
export function createInspector(worker: InspectorClient, view: View): Inspector {
  const client = sessionClient(worker);
  const store = createStore<InspectorState>(initialState);
  const core = createCore(client, store);
  const { notify, fail } = core;
  const direct = createNavigate(core, view.height);
  const play = createPlay(core, direct, view);
  const navigate = beforeEachMove(direct, () => {
    if (store.get().playing !== undefined) play.pause();
    if (store.get().follows) store.set({ follows: false });
  });
  const list = createList(core, view.foldsEdits);
  const timeline = createTimeline(core, navigate, list);
  const redraw = (step: number) => {
    list.refresh();
    timeline.zoom();
    direct.go(step);
  };
  const open = createOpen(core, { onLoaded: redraw, onGrown: grown(core, { direct, list, timeline }) });
  return {
    client,
    store,
    notify,
    fail,
    navigate,
    list,
    timeline,
    play,
    search: createSearch(core, navigate),
    breakpoints: createBreakpoints(core, navigate),
    whatIf: createWhatIf(core, redraw),
    open: (source, start) => {
      play.pause();
      return open.capture(source, start);
    },
    openLive: open.live,
    follow: (follows) => {
      store.set({ follows });
      if (follows) direct.go(store.get().info?.steps ?? 0);
    },
    copyLink: () => copyLink(core),
    goToError: (direction) => void goToError(core, navigate, direction).catch(fail),
    followHash: () => followHash(core, navigate.go),
  };
}

/** Wraps the navigation; calls `before` before each move. */
function beforeEachMove(direct: Navigate, before: () => void): Navigate {
  const first =
    <A extends readonly unknown[]>(move: (...args: A) => void) =>
    (...args: A) => {
      before();
      move(...args);
    };
  return {
    ...direct,
    go: first(direct.go),
    by: first(direct.by),
    toFirst: first(direct.toFirst),
    toLast: first(direct.toLast),
    goToTime: first(direct.goToTime),
    goToShownTime: first(direct.goToShownTime),
  };
}

interface Panes {
  readonly direct: Navigate;
  readonly list: List;
  readonly timeline: TimelineControl;
}

/** Handles new steps of a live session: extends the list and the timeline, and goes to the end when the page follows. */
const grown =
  ({ store }: Core, { direct, list, timeline }: Panes) =>
  (info: SessionInfo, before: SessionInfo) => {
    const { branch, follows, zoom } = store.get();
    if (branch !== 'recorded') return;
    list.refresh();
    if (zoom.to >= before.duration)
      timeline.zoom({ from: zoom.from === 0 ? 0 : zoom.from, to: info.duration });
    if (follows) direct.go(info.steps);
  };

async function goToError(
  { client, store, notify }: Core,
  navigate: Navigate,
  direction: 'forward' | 'backward',
): Promise<void> {
  const { branch, step: from } = store.get();
  const next = await client.request('nextError', { branch, from, direction });
  if (next === undefined) notify(`No error ${direction === 'forward' ? 'after' : 'before'} this step.`);
  else navigate.go(next);
}

/**
 * Returns a client of the newest session: a request about an older one, which was loaded before, fails when its answer arrives.
 *
 * @throws {SupersededError} from a request, when another session has been loaded since.
 */
function sessionClient(client: InspectorClient): InspectorClient {
  let loads = 0;
  return {
    onProgress: (listener) => client.onProgress(listener),
    async request(name, params) {
      if (name === 'load') loads++;
      const load = loads;
      try {
        return await client.request(name, params);
      } finally {
        // Also instead of the error about a session that is not shown any more.
        // oxlint-disable-next-line no-unsafe-finally
        if (load !== loads) throw new SupersededError('Another session was opened.');
      }
    },
  };
}
