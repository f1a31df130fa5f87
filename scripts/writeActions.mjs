/**
 * Writes docs/actions.md: every action of the program, from the list in src/shared/actions.
 *
 *   node scripts/writeActions.mjs [--check] [folder of the project]
 */
import { runPageScript, writePage } from './writePage.mjs';

/**
 * Returns docs/actions.md as the list of actions says it.
 *
 * @param {(name: string) => Promise<any>} load loads a module of the checkout
 */
async function readActionsPage(load) {
  const { ACTION_SECTIONS, entriesOf, payloadFields } = await load('src/shared/actions/actionTable.ts');
  const { LOCAL_STATE } = await load('src/shared/actions/localState.ts');
  const sync = entriesOf(await load('src/renderer/store/syncActions.ts'));
  const sections = mapValues({ ...ACTION_SECTIONS, sync }, (entries) =>
    mapValues(entries, (entry) => ({ ...entry, payload: payloadFields(entry.payload) })),
  );
  return actionsPage(sections, LOCAL_STATE);
}

/** @param {object} object @param {(value: any) => unknown} map */
const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/**
 * docs/actions.md from the table of actions.
 *
 * @typedef {object} ActionEntry one action: `src/shared/actions/defineAction.ts`
 * @property {string} by
 * @property {string} payload
 * @property {readonly string[]} changes
 * @property {boolean} isForwarded
 * @property {{ version: number, codes: readonly string[] } | null} recorded
 *
 * @typedef {Readonly<Record<string, ActionEntry>>} ActionEntries
 */

/** The page's path in the project. */
const ACTIONS_PAGE = 'docs/actions.md';

const INTRODUCTION = `# Actions

Find here every action of the program: what a person does, what happens, and what a window shows. \`npm run actions\` writes this page from
\`src/shared/actions\`, and \`npm run check\` fails when it is out of date. Tests compare the table with the code: no action creator is missing, and each
action changes exactly the slices that are named here (\`tests/actions.test.ts\`).

- **by**: who dispatches it. A channel, menu, tray or shortcut only dispatches the user action; a listener in \`src/main/actions\` performs the effect. See
  [architecture.md](architecture.md#user-actions-effects-results).
- **changes**: the slices of the state. \`own.\` is the window state; main has a copy of it in \`windows\`. A forwarded action also changes
  \`sequence\`.
- **windows**: whether main forwards it to the windows.
- **recorded**: the first version of captures that contains it. Version 2 has the number of the source window; nothing else of \`meta\` is recorded.
- **redaction**: \`replay redact\` replaces every text of the payload by an alias, except the codes that are named here. Numbers, booleans and \`null\`
  stay.
`;

const SECTIONS = {
  user: `## User actions

What a person requests. Main dispatches a user action before its effect, marked with the number of the window that is its source. \`snapshot/requested\` and
\`encoding/requested\` come from a page without a person, and three actions from the devices of a window, so they are not recorded.
`,
  main: `## Main's actions

What main knows: the results of user actions, and what the platform, the devices and the machine do. Those with codes contain no text that a person sees.
`,
  window: `## Actions of the window state

What a person does in a window, and what the window shows because of it. The window applies them at once and sends them to main, which accepts only
these, with exactly these fields (\`src/shared/actions/windowActions.ts\`, \`outputActions.ts\`).
`,
  sync: `## Actions of a window's copy

With these a window follows main's state (\`src/renderer/store/syncActions.ts\`). They reach no other store.
`,
};

const LOCAL = `## What is in no action

Electron's own menu entries (edit, zoom, reload, close, minimize) work without an action of ours; main dispatches what follows from them, and the window the size
that a zoom gives its page (\`page/resized\`). redux-persist dispatches
\`persist/…\` in main when it reads the account.

A window keeps this outside its store:

| what | where | why |
|---|---|---|
`;

const code = (/** @type {string} */ text) => `\`${text}\``;

/** @param {ActionEntry} entry */
function redactionOf({ payload, recorded }) {
  if (recorded === null || payload === '') return '–';
  return recorded.codes.length === 0 ? 'texts replaced' : `keeps ${recorded.codes.map(code).join(', ')}`;
}

/** @param {string} type @param {ActionEntry} entry */
const row = (type, entry) =>
  `| ${[
    code(type),
    entry.payload || '–',
    entry.by,
    entry.changes.map(code).join(', ') || '–',
    entry.isForwarded ? 'yes' : '–',
    entry.recorded === null ? 'no' : `version ${entry.recorded.version}`,
    redactionOf(entry),
  ].join(' | ')} |`;

/** @param {ActionEntries} entries */
const table = (entries) =>
  [
    '| type | payload | by | changes | windows | recorded | redaction |',
    '|---|---|---|---|---|---|---|',
    ...Object.entries(entries).map(([type, entry]) => row(type, entry)),
    '',
  ].join('\n');

/**
 * Returns docs/actions.md.
 *
 * @param {Readonly<Record<'user' | 'main' | 'window' | 'sync', ActionEntries>>} sections
 * @param {readonly { what: string, where: string, why: string }[]} localState
 */
const actionsPage = (sections, localState) =>
  [
    INTRODUCTION,
    ...['user', 'main', 'window', 'sync'].map((name) => `${SECTIONS[name]}\n${table(sections[name])}`),
    LOCAL + localState.map(({ what, where, why }) => `| ${what} | ${where} | ${why} |\n`).join(''),
  ].join('\n');

/**
 * Writes the page of a project, or checks it.
 *
 * @param {string} root the folder of the project
 * @param {boolean} isCheck
 * @param {(name: string) => Promise<any>} load loads a module of the checkout
 * @returns {Promise<string[]>} one line when the page is checked and out of date
 */
export const writeActions = async (root, isCheck, load) =>
  writePage({
    root,
    path: ACTIONS_PAGE,
    page: await readActionsPage(load),
    isCheck,
    command: 'npm run actions',
  });

await runPageScript(import.meta, writeActions);
