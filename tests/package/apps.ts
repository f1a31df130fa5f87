import type { Page } from 'playwright-core';
import type { Edit } from './project.ts';

/** An app that does not know the replay tool, and what a person does to replay its sessions. */
export interface App {
  /** The folder of its fixture. */
  readonly name: string;
  /** What a person writes, after `init`. */
  readonly lines: readonly Edit[];
  /** Uses the app. */
  readonly use: (page: Page) => Promise<void>;
  /** A fault of the app, and the kind of the step that it changes first, with the beginning of a path. */
  readonly fault: Edit & { readonly step: string; readonly path: string };
}

const edit = (file: string, from: string, to: string): Edit => ({ file, from, to });

/** A chat with Redux Toolkit and a WebSocket. */
export const chat: App = {
  name: 'chat',
  lines: [
    {
      file: 'src/recorder.ts',
      to: `import { createRecorder } from '@parley/replay/record';

export const recorder = createRecorder({ app: 'chat-app', clear: ['event', 'post'] });
Object.assign(globalThis, { recorder });
`,
    },
    edit('src/main.ts', 'import { actions', "import { recorder } from './recorder';\nimport { actions"),
    edit('src/main.ts', 'new WebSocket(', 'new (recorder.webSocket(WebSocket))('),
    edit('src/main.ts', 'const store = ', 'globalThis.fetch = recorder.fetch(fetch);\nconst store = '),
    edit('src/store.ts', 'import type', "import { recorder } from './recorder';\nimport type"),
    edit(
      'src/store.ts',
      '  return configureStore({ reducer });\n',
      `  const userActions = recorder.middleware({ record: ({ type }) => /Selected|pendingPost/.test(type) });
  return configureStore({ reducer, middleware: (defaults) => defaults().concat(userActions) });
`,
    ),
    edit(
      'replay.adapter.ts',
      'import { createAppStore } from',
      "import { handleEvent } from './src/websocketActions.js';\nimport { actions, createAppStore } from",
    ),
    edit(
      'replay.adapter.ts',
      "    throw new Error('replay.adapter: call what src/main.ts:7 calls for each message');\n  },\n",
      `    store.dispatch(handleEvent(JSON.parse(String(data))));
  },
  onOpen: (store) => void store.dispatch(actions.connected(true)),
  onClose: (store) => void store.dispatch(actions.connected(false)),
`,
    ),
  ],
  async use(page) {
    await page.getByText('lin: good morning').waitFor();
    await page.locator('#text').fill('hello from me');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('ada: hello from me').waitFor();
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByText('sam: is the release ready?').waitFor();
  },
  // The server's clock is not that of this machine: who has posted is still shown as typing.
  fault: {
    ...edit('src/websocketActions.ts', 'userId, now: Date.now() }),', 'userId, now: post.createAt }),'),
    step: 'BATCHING_REDUCER.BATCH',
    path: 'state.typing["id-0"]',
  },
};

const prices: App = {
  name: 'prices',
  lines: [
    edit(
      'src/stream.ts',
      'import { type Quote, pricesStore }',
      "import { createRecorder } from '@parley/replay/record';\nimport { type Quote, pricesStore }",
    ),
    edit(
      'src/stream.ts',
      'const FLUSH_MS',
      `export const recorder = createRecorder({ app: 'prices-app', clear: ['symbol'] });
Object.assign(globalThis, { recorder });
const FLUSH_MS`,
    ),
    edit('src/stream.ts', 'new EventSource(url)', 'new (recorder.eventSource(EventSource))(url)'),
    edit('src/main.ts', 'import { connect }', 'import { connect, recorder }'),
    edit('src/main.ts', 'pricesStore.sub', 'globalThis.fetch = recorder.fetch(fetch);\npricesStore.sub'),
    edit(
      'src/main.ts',
      '      button.onclick = () => addAlert(symbol, bid);\n',
      `      button.onclick = () => {
        recorder.action({ type: 'addAlert', payload: { symbol, bid } });
        addAlert(symbol, bid);
      };
`,
    ),
    edit(
      'replay.adapter.ts',
      'import { pricesStore }',
      "import { onStreamEvent } from './src/stream.js';\nimport { pricesStore }",
    ),
    edit(
      'replay.adapter.ts',
      "    throw new Error('replay.adapter: call what src/stream.ts:32 calls for each event');\n  },\n",
      `    const message = JSON.parse(String(data));
    onStreamEvent(message.event, message.data);
  },
  onOpen(store) {
    store.getState().setStatus('live');
    setInterval(() => store.getState().markStale(), 500);
  },
  onAction: (store, { payload }) => store.getState().addAlert(Object(payload).symbol, Object(payload).bid),
`,
    ),
  ],
  async use(page) {
    await page.getByText('Gold').waitFor();
    await page.getByRole('row', { name: 'Euro' }).getByRole('button').click();
    await page.getByText(': now').waitFor();
    await page.locator('tr.stale').first().waitFor();
  },
  // The price of a halted instrument changes.
  fault: {
    ...edit('src/pricesStore.ts', '        if (halted.includes(quote.symbol)) continue;\n', ''),
    step: 'setState',
    path: 'state.prices.USDJPY.bid',
  },
};

export const APPS: readonly App[] = [chat, prices];
