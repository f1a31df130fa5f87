import { type InspectorClient, SupersededError } from '../../protocol/workerClient.ts';
import { copyLink, followHash } from './address.ts';
import { type Theme, initialState } from './inspectorState.ts';
import { createCore, createStore } from './inspectorStore.ts';
import { createNavigate } from './navigate.ts';
import { createOpen } from './openSession.ts';
import { createPlayer } from './player.ts';
import { createBreakpoints, createSearch } from './stepSearch.ts';
import { createList, createTimeline } from './timelineControl.ts';
import { type SourceHost, createHistory } from './history.ts';
import { createWhatIf } from './whatIf.ts';

/** The next theme: from the system's setting to light, to dark, and back. */
const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** The functions of the page on a session. */
export type Inspector = ReturnType<typeof createInspector>;

interface Options {
  /** Whether the list shows consecutive edits of one field as one row. */
  readonly foldsEdits?: boolean;
  /** Who finds lines of source. */
  readonly sourceHost?: SourceHost | undefined;
}

/** Creates the inspector of a page. */
export function createInspector(worker: InspectorClient, { foldsEdits = false, sourceHost }: Options = {}) {
  const client = sessionClient(worker);
  const store = createStore(initialState);
  const core = createCore(client, store);
  const navigate = createNavigate(core);
  const list = createList(core, foldsEdits);
  const timeline = createTimeline(core, navigate, list);
  const redraw = (step: number) => {
    list.refresh();
    timeline.zoom();
    navigate.show(step);
  };
  return {
    client,
    store,
    notify: core.notify,
    fail: core.fail,
    navigate,
    list,
    timeline,
    play: createPlayer(core, navigate, (callback) => requestAnimationFrame(callback)),
    search: createSearch(core, navigate),
    breakpoints: createBreakpoints(core, navigate),
    history: createHistory(core, sourceHost),
    whatIf: createWhatIf(core, redraw),
    ...createOpen(core, {
      onLoaded: redraw,
      /** Shows new steps: extends the list and the timeline, and goes to the end when the page follows a live session. */
      onGrown: (info, before) => {
        const { branch, follows, zoom } = store.get();
        if (branch !== 'recorded') return;
        list.refresh();
        if (zoom.to >= before.duration) timeline.zoom({ from: zoom.from, to: info.duration });
        if (follows) navigate.show(info.steps);
      },
    }),
    /** Starts or stops following the end of a live session. */
    follow: (follows: boolean) => {
      store.set({ follows });
      if (follows) navigate.show(store.get().info?.steps ?? 0);
    },
    changeTheme: () => store.set({ theme: NEXT_THEME[store.get().theme] }),
    copyLink: () => void copyLink(core),
    followHash: () => followHash(core, navigate.go),
  };
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
      const answer = client.request(name, params);
      // Also instead of the error about a session that is not shown any more.
      await Promise.allSettled([answer]);
      if (load !== loads) throw new SupersededError('Another session was opened.');
      return answer;
    },
  };
}
