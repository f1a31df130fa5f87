import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Fixture, buildFixture } from '../testing/buildFixture.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Ends a process like a person; resolves to its exit code and signal. */
const end = async ({ child, exited }: { child: ChildProcess; exited: Promise<unknown> }) => {
  child.kill('SIGTERM');
  return exited;
};

describe('a second process', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await buildFixture();
  });
  afterAll(() => fixture.remove());

  function start() {
    const child = spawn(process.execPath, [fixture.main], {
      env: { ...process.env, PARLEY_DATA_DIR: folder, PARLEY_PORT: '0', PARLEY_OPEN: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    return { child, line: once(lines, 'line').then(String), exited: once(child, 'exit') };
  }

  it('prints a new address of the first process and ends with 0 while the first runs', async () => {
    const first = start();
    const address = await first.line;
    const second = start();
    const [again, [code]] = [await second.line, await second.exited];
    expect(code).toBe(0);
    expect(again).toMatch(/^Parley is ready at http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/);
    expect(again).not.toBe(address);
    expect(again.split('?')[0]).toBe(address.split('?')[0]);
    const page = await fetch(again.replace('Parley is ready at ', ''));
    expect(page.status).toBe(200);
    expect(await end(first)).toEqual([0, null]);
  });

  it('replaces the first process after that was killed', async () => {
    const first = start();
    await first.line;
    first.child.kill('SIGKILL');
    await first.exited;
    const second = start();
    expect(await second.line).toContain('Parley is ready');
    expect(await end(second)).toEqual([0, null]);
  });
});
