import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { POLLING } from '#tests/builders/polling.ts';
import { createParleyEngine } from '#replay/parley/parley.ts';
import { replayFile } from '#replay/engine/replayFile.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { CAPTURE_FLUSH_MS, CAPTURE_MAX_RETRY_MS, CAPTURE_WAITING_BYTES } from '#shared/limits.ts';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { waitForState } from '#tests/builders/messengerAt.ts';
import { readCaptureFile } from '#tests/builders/mainRecorder.ts';
import { recordedMessenger } from '#tests/builders/recordedMessenger.ts';

test('contract §6: writes a gap after a full disk exceeded the memory limit, and the replay ends in the same conversation', async () => {
  const disk = { isFull: false };
  const path = join(mainFolder(), 'x.parley.jsonl');
  const folder = {
    async create() {
      const file = await open(path, 'ax');
      return {
        appendFile: (text: string | Uint8Array) =>
          disk.isFull
            ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
            : file.appendFile(text),
        truncate: (length?: number) => file.truncate(length),
        close: () => file.close(),
      };
    },
    save: () => Promise.reject(new Error('not asked for')),
  };
  const { recorded, messenger, clock, socket, store } = await recordedMessenger({ folder });
  clock.advance(CAPTURE_FLUSH_MS);
  await vi.waitUntil(() => existsSync(path) && readFileSync(path, 'utf8').includes('Ada'), POLLING);
  disk.isFull = true;
  const blob = 'A'.repeat(CAPTURE_WAITING_BYTES / 8);
  for (let n = 1; n <= 11; n++) {
    socket.send({ modifier: 'ai', id: `m${n}`, content: [{ category: 'file', text: `${n}`, blob }] });
    await waitForState(store, ({ counts }) => counts.received === n + 1);
    clock.advance(CAPTURE_FLUSH_MS);
  }
  await vi.waitUntil(() => recorded.notes.length === 1, POLLING);
  disk.isFull = false;
  await vi.waitUntil(
    () => {
      clock.advance(CAPTURE_MAX_RETRY_MS);
      return recorded.notes.length === 2;
    },
    { timeout: 60_000 },
  );
  const ended = toSnapshot(store.getState().conversation);
  await messenger.signOut();
  await recorded.recorder.settling();
  const { records } = readCaptureFile(path);
  const gap = records.findIndex(({ type }) => type === 'gap');
  expect(records[gap]).toMatchObject({ lost: 11 });
  expect(records[gap + 1]).toMatchObject({ type: 'recv', synthetic: true });
  const { replay, warnings } = await replayFile(path, createParleyEngine());
  expect(warnings).toEqual([]);
  expect(JSON.stringify(toSnapshot(replay.conversation)) === JSON.stringify(ended)).toBe(true);
});
