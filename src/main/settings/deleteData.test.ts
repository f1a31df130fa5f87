import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { deleteData } from './deleteData.ts';

type Options = Parameters<typeof deleteData>[0];

const fail = (): never => {
  throw new Error('ada@example.org');
};
const fails = () => Promise.reject(new Error('ada@example.org'));

/** Prepares a deletion in the test's own folder, and records the order of its steps. */
function setUp(options: Partial<Options> = {}) {
  const dataDir = mainFolder();
  const steps: string[] = [];
  const step = (name: string) => async () => void steps.push(name);
  const kept = mainLog();
  const all: Options = {
    dataDir,
    messenger: { signOut: step('signOut') },
    recorder: { idle: step('idle') },
    preferences: { forget: () => void steps.push('preferences') },
    windowBounds: { forget: () => void steps.push('windowBounds') },
    tail: { clear: () => void steps.push('tail') },
    builtInPlatform: { deleteAll: step('platform') },
    assistant: { forget: step('assistant') },
    closeInspector: () => void steps.push('inspector'),
    clearPages: step('pages'),
    log: kept.log,
    ...options,
  };
  return { dataDir, steps, kept, run: (platformFile: boolean) => deleteData(all, { platformFile }) };
}

describe('deletes the data of the person', () => {
  test('signs out and stops every writer before it deletes', async () => {
    const { run, steps, dataDir } = setUp();
    writeFileSync(join(dataDir, 'account.json'), 'x');
    expect(await run(true)).toBe('Your data was deleted.');
    expect(steps).toEqual([
      'signOut',
      'inspector',
      'idle',
      'preferences',
      'windowBounds',
      'assistant',
      'platform',
      'pages',
      'tail',
    ]);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('waits for a capture that is being written, and deletes it', async () => {
    const { run, dataDir } = setUp({
      recorder: {
        async idle() {
          await setImmediate();
          mkdirSync(join(dataDir, 'captures'));
          writeFileSync(join(dataDir, 'captures', 'last.parley.jsonl'), 'x');
        },
      },
    });
    await run(false);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('does not change the built-in platform unless the person chose it', async () => {
    const { run, steps } = setUp();
    await run(false);
    expect(steps).not.toContain('platform');
  });

  test('deletes the files and says what to do when a part cannot be stopped', async () => {
    const { run, dataDir, steps } = setUp({ messenger: { signOut: fails }, closeInspector: fail });
    writeFileSync(join(dataDir, 'account.json'), 'x');
    expect(await run(false)).toBe(
      'A part of Parley could not be stopped: quit Parley, and delete your data again. ' +
        `The data folder is ${dataDir}`,
    );
    expect(steps).toContain('preferences');
    expect(existsSync(join(dataDir, 'account.json'))).toBe(false);
  });

  test('continues after an error and reports what is left, and where', async () => {
    const { run, dataDir, kept } = setUp({ builtInPlatform: { deleteAll: fails }, clearPages: fails });
    writeFileSync(join(dataDir, 'window.json'), 'x');
    expect(await run(true)).toBe(
      'The built-in platform did not delete its file. What the pages store could not be deleted. ' +
        `The data folder is ${dataDir}`,
    );
    expect(existsSync(join(dataDir, 'window.json'))).toBe(false);
    expect(JSON.stringify(kept.text())).not.toContain('ada@example.org');
  });
});
