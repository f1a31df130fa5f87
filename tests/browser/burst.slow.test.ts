import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createParleyEngine, stateDocument } from '#replay/parley/parley.ts';
import { replayFile } from '#replay/engine/replayFile.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { message, text } from './harness/message.ts';
import { type MainMoment, READABLE, readMainStore, shortened } from './harness/readMainStore.ts';
import { readWindowState } from './harness/readWindowState.ts';
import { setUpScripted } from './harness/setUpScripted.ts';

const scripted = setUpScripted({ env: { ...READABLE, PARLEY_CAPTURE: '1' } });

const MESSAGES = 40;
/** Each fifth message has a file of 12 MB. */
const blob = 'A'.repeat(16_000_000);
const contentOf = (n: number) =>
  n % 5 === 0 ? [{ ...text(`${n}.bin`), category: 'file', blob }] : [text(`${n}`)];

type State = Parameters<typeof stateDocument>[0] & Pick<MainMoment['state'], 'conversation'>;

const comparable = (state: State): unknown =>
  JSON.parse(
    JSON.stringify({ ...stateDocument(state), conversation: toSnapshot(state.conversation) }, shortened),
  );

it('contract §6: a capture of 40 messages at once, with 8 files of 12 MB, is complete and replays to the state of main', async () => {
  const { parley, openSignedIn } = scripted();
  const { page, socket } = await openSignedIn();
  const main = await readMainStore(parley);
  onTestFinished(main.close);
  for (let n = 0; n < MESSAGES; n++) socket.send(message(`m${n}`, contentOf(n)));
  await page
    .getByRole('article')
    .getByText(`${MESSAGES - 1}`, { exact: true })
    .waitFor();
  const { now, state } = await vi.waitUntil(async () => {
    const own = await readWindowState(page);
    const moment = await main.readShortened();
    const { queue, connection, windows } = moment.state;
    const isQuiet = queue.length === 0 && connection.status === 'connected';
    return isQuiet && JSON.stringify(windows[1]?.own) === JSON.stringify(own) ? moment : undefined;
  }, POLLING);
  await page.getByRole('button', { name: 'Log out' }).click();
  const folder = join(parley.dataDir, 'captures');
  const file = join(folder, readdirSync(folder)[0] ?? '');
  const lines = await vi.waitUntil(() => completeLines(file), POLLING);
  expect(lines.filter((line) => line.includes('"type":"gap"'))).toEqual([]);
  expect(lines.filter((line) => line.includes('"type":"recv"'))).toHaveLength(MESSAGES);
  const launchT = Number(/"t":(?<t>[\d.]+),"type":"launch"/u.exec(lines.join('\n'))?.groups?.t);
  const at = now - (state.queue.launchedAt ?? 0) + launchT;
  const { replay, warnings } = await replayFile(file, createParleyEngine({ at }));
  expect(warnings).toEqual([]);
  expect(comparable(replay)).toEqual(comparable(state));
}, 120_000);

/** Returns the beginnings of a capture's lines when it is complete. */
function completeLines(file: string): string[] | undefined {
  const bytes = readFileSync(file);
  if (!bytes.subarray(-100).toString().endsWith('"session/ended"}}\n')) return undefined;
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; from = bytes.indexOf('\n', from) + 1)
    lines.push(
      bytes
        .subarray(from, from + 200)
        .toString()
        .split('\n')[0] ?? '',
    );
  return lines;
}
