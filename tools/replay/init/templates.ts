import type { FeedPlace, StorePlace } from './findParts.ts';

/** What the written files contain of a project. */
export interface Project {
  readonly name: string;
  readonly isTypeScript: boolean;
  readonly store: StorePlace;
  readonly feed: FeedPlace;
}

/** The folder of a project's captures. */
export const CAPTURES = 'captures';

/** Returns how a module is imported: with `.js`, which every resolution of TypeScript takes for a source too. */
const moduleOf = (file: string): string =>
  `./${file.replace(/\.m?tsx?$/, (end) => (end.startsWith('.m') ? '.mjs' : '.js'))}`;

/** Returns the name of the one store of zustand that a module exports, which can have its first state again. */
export const singleStore = ({ library, factory, text }: StorePlace): string | undefined =>
  library === 'zustand' && factory === undefined ? /^export const (\w+)/.exec(text)?.[1] : undefined;

/** Returns a text as a string of JavaScript. */
export const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/** Returns the text of the adapter's module. What a person must write throws until it is written, and says so. */
export function adapterText({ name, isTypeScript, store, feed }: Project): string {
  const { factory } = store;
  const single = singleStore(store);
  const making = single ?? factory ?? 'createAppStore';
  const what = feed.kind === 'EventSource' ? 'event' : 'message';
  const content = feed.kind === 'EventSource' ? ': JSON.parse(data) has its event, data and id' : '';
  const storeType = single === undefined ? `ReturnType<typeof ${making}>` : `typeof ${making}`;
  const type = isTypeScript ? `: StoreAdapter<${storeType}>` : '';
  const lines = [
    ...(isTypeScript
      ? ["import type { StoreAdapter } from '@parley/replay';"]
      : ["/** @import { StoreAdapter } from '@parley/replay' */"]),
    ...(factory === undefined && single === undefined
      ? [
          `// ${store.file}:${store.line} makes one store for the whole app, and a replay needs a new one each time:`,
          `// export a function from there that returns a new store, and import it here.`,
        ]
      : []),
    `import { ${making} } from '${moduleOf(store.file)}';`,
    '',
    "/** Replays recorded sessions through the app's own store. */",
    `export const adapter${type} = {`,
    `  name: ${quoted(name)},`,
    ...(single === undefined
      ? [`  createStore: () => ${making}(),`]
      : [
          '  createStore() {',
          `    // ${store.file}:${store.line} makes one store for the whole app: each replay begins with its first state.`,
          `    ${single}.setState(${single}.getInitialState(), true);`,
          `    return ${single};`,
          '  },',
        ]),
    "  // The app's own timers, clock and random numbers follow the time of the capture.",
    '  globals: true,',
    '  onFrame(store, data) {',
    `    // Do what ${feed.file}:${feed.line} does with each ${what}${content}.`,
    `    throw new Error('replay.adapter: call what ${feed.file}:${feed.line} calls for each ${what}');`,
    '  },',
    '};',
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the text of a Vitest test of all captures. */
export const testText = (
  adapter: string,
): string => `import { describeCaptures } from '@parley/replay/vitest';
import { adapter } from '${moduleOf(adapter)}';

// In watch mode, Vitest runs these tests again when a capture changes.
// @ts-ignore Vite knows this function, whether or not its types are installed.
import.meta.glob('./${CAPTURES}/**/*.{jsonl,har,gz,zip}', { eager: true, query: '?url' });

// One test for each capture in the folder; \`-u\` writes the goldens.
describeCaptures(new URL('${CAPTURES}', import.meta.url), { adapter });
`;
