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

const chat: App = {
  name: 'chat',
  lines: [
    {
      file: 'src/recorder.ts',
      to: `import { createRecorder } from '@parley/replay/record';

export const recorder = createRecorder({ app: 'chat-app', clear: ['event', 'status', 'post'] });
Object.assign(globalThis, { recorder });
`,
    },
    {
      file: 'src/main.ts',
      from: "import { actions, createAppStore } from './store';\n",
      to: "import { recorder } from './recorder';\nimport { actions, createAppStore } from './store';\n",
    },
    { file: 'src/main.ts', from: 'new WebSocket(', to: 'new (recorder.webSocket(WebSocket))(' },
    {
      file: 'src/main.ts',
      from: 'const store = ',
      to: 'globalThis.fetch = recorder.fetch(fetch);\nconst store = ',
    },
    {
      file: 'src/store.ts',
      from: "import type { Channel, Post, User } from './types';\n",
      to: "import { recorder } from './recorder';\nimport type { Channel, Post, User } from './types';\n",
    },
    {
      file: 'src/store.ts',
      from: '  return configureStore({ reducer });\n',
      to: `  const userActions = recorder.middleware({ record: ({ type }) => /Selected|pendingPost/.test(type) });
  return configureStore({ reducer, middleware: (defaults) => defaults().concat(userActions) });
`,
    },
    {
      file: 'replay.adapter.ts',
      from: "from './src/store.js';\n",
      to: "from './src/store.js';\nimport { handleClose, handleEvent, handleOpen } from './src/websocketActions.js';\n",
    },
    {
      file: 'replay.adapter.ts',
      from: "    throw new Error('replay.adapter: call what src/main.ts:8 calls for each message');\n  },\n",
      to: `    store.dispatch(handleEvent(JSON.parse(String(data))));
  },
  onOpen: (store) => void store.dispatch(handleOpen()),
  onClose: (store) => void store.dispatch(handleClose()),
`,
    },
  ],
  async use(page) {
    const channel = (name: string) => page.getByRole('button', { name, exact: true });
    await channel('Release (1)').waitFor();
    await page.getByText('Lin Wei: good morning!').waitFor();
    await page.locator('#text').fill('hello from me');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('ada: hello from me').waitFor();
    await channel('Release').click();
    await page.getByText('Sam: @ada is the release ready?').waitFor();
  },
  // The server's clock is not that of this machine: who has posted is still shown as typing.
  fault: {
    file: 'src/websocketActions.ts',
    from: 'now: Date.now() }),\n        actions.receivedPost',
    to: 'now: post.createAt }),\n        actions.receivedPost',
    step: 'BATCHING_REDUCER.BATCH',
    path: 'state.typing["id-0"]',
  },
};

const prices: App = {
  name: 'prices',
  lines: [
    {
      file: 'src/stream.ts',
      from: "import { type Quote, pricesStore } from './pricesStore';\n",
      to: `import { createRecorder } from '@parley/replay/record';
import { type Quote, pricesStore } from './pricesStore';

export const recorder = createRecorder({ app: 'prices-app', clear: ['symbol'] });
Object.assign(globalThis, { recorder });
`,
    },
    {
      file: 'src/stream.ts',
      from: 'new EventSource(url)',
      to: 'new (recorder.eventSource(EventSource))(url)',
    },
    { file: 'src/main.ts', from: 'import { connect }', to: 'import { connect, recorder }' },
    {
      file: 'src/main.ts',
      from: 'pricesStore.subscribe(render);\n',
      to: 'globalThis.fetch = recorder.fetch(fetch);\npricesStore.subscribe(render);\n',
    },
    {
      file: 'src/main.ts',
      from: '      button.onclick = () => addAlert(symbol, bid);\n',
      to: `      button.onclick = () => {
        recorder.action({ type: 'addAlert', payload: { symbol, bid } });
        addAlert(symbol, bid);
      };
`,
    },
    {
      file: 'replay.adapter.ts',
      from: "from './src/pricesStore.js';\n",
      to: "from './src/pricesStore.js';\nimport { onStreamEvent } from './src/stream.js';\n",
    },
    {
      file: 'replay.adapter.ts',
      from: "    throw new Error('replay.adapter: call what src/stream.ts:42 calls for each event');\n  },\n",
      to: `    const message = JSON.parse(String(data));
    onStreamEvent(message.event, message.data);
  },
  onOpen(store) {
    store.getState().setStatus('live');
    setInterval(() => store.getState().markStale(), 500);
  },
  onAction: (store, { payload }) => store.getState().addAlert(Object(payload).symbol, Object(payload).bid),
`,
    },
  ],
  async use(page) {
    await page.getByText('Gold').waitFor();
    await page.getByRole('row', { name: 'Euro' }).getByRole('button').click();
    await page.getByText(': now').waitFor();
    await page.locator('tr.stale').first().waitFor();
  },
  // The price of a halted instrument changes.
  fault: {
    file: 'src/pricesStore.ts',
    from: '        if (halted.includes(quote.symbol)) continue;\n',
    to: '',
    step: 'setState',
    path: 'state.prices.USDJPY.bid',
  },
};

export const APPS: readonly App[] = [chat, prices];
