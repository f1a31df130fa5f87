import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oneof, property, string, stringMatching } from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { standInTools } from '#tests/builders/standInTools.ts';
import { systemClock } from '../../base/clock.ts';
import { createCreationQueue, nameFault } from './createUser.ts';

const GATE = 'touch "$D/waits"; while [ ! -e "$D/gate" ]; do sleep 0.02; done';

/** A queue whose useradd or chpasswd waits for `open`. */
function gated(tool: 'useradd' | 'chpasswd' = 'useradd') {
  const tools = standInTools();
  tools.replace(tool, `${GATE}; ${tool === 'useradd' ? 'echo "$N:x:1:1:::" >> "$D/passwd"' : 'exit 1'}`);
  const accounts = createCreationQueue({ tools, clock: systemClock, limitMs: 60_000, rollBackMs: 60_000 });
  return {
    tools,
    create: (name: string) => accounts.create({ name, password: 'secret' }),
    close: () => accounts.close(),
    open: () => writeFileSync(join(tools.folder, 'gate'), ''),
    untilWaiting: () => vi.waitFor(() => tools.read('waits'), POLLING),
  };
}

describe('the queue of creations', () => {
  it('creates one of five users with one name; the name is taken for the others', async () => {
    const { create, open, untilWaiting } = gated();
    const creations = Promise.all(Array.from({ length: 5 }, () => create('ada')));
    await untilWaiting();
    open();
    const kinds = (await creations).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(['created', 'taken', 'taken', 'taken', 'taken']);
  });

  it('creates several users one after the other', async () => {
    const { create, open, tools } = gated();
    open();
    await Promise.all(['ada', 'bob', 'eve'].map(create));
    expect(tools.calls().map(({ tool }) => tool)).toEqual(
      Array.from({ length: 3 }, () => ['useradd', 'chpasswd']).flat(),
    );
  });

  it('refuses a creation when the queue is full, and completes the others', async () => {
    const { create, open, untilWaiting } = gated();
    const names = Array.from({ length: 17 }, (_, index) => `ada${index}`);
    const creations = Promise.all(names.map(create));
    await untilWaiting();
    expect(await create('late')).toEqual({ kind: 'full' });
    open();
    expect(new Set((await creations).map(({ kind }) => kind))).toEqual(new Set(['created']));
    expect(await create('later')).toEqual({ kind: 'created' });
  });

  it('completes the creation in progress and refuses those that wait after close()', async () => {
    const { create, close, open, untilWaiting, tools } = gated();
    const first = create('ada');
    const second = create('bob');
    await untilWaiting();
    const closed = close();
    expect(await second).toEqual({ kind: 'closing' });
    expect(await create('eve')).toEqual({ kind: 'closing' });
    open();
    await closed;
    expect(tools.calls().map(({ tool }) => tool)).toEqual(['useradd', 'chpasswd']);
    expect(await first).toEqual({ kind: 'created' });
  });

  it('does not begin a creation whose check ends after cancelWaiting() or close()', async () => {
    const tools = standInTools();
    const creations = createCreationQueue({ tools, clock: systemClock, limitMs: 60_000, rollBackMs: 60_000 });
    const checks: (() => void)[] = [];
    const check = () => new Promise<undefined>((resolve) => checks.push(() => resolve(undefined)));
    for (const cancel of [() => creations.cancelWaiting(), () => void creations.close()]) {
      const creation = creations.create({ name: 'ada', password: 'secret' }, check);
      await vi.waitFor(() => expect(checks).toHaveLength(1), POLLING);
      cancel();
      checks.pop()?.();
      expect(await creation).toEqual({ kind: 'closing' });
    }
    expect(tools.calls()).toEqual([]);
  });

  it('rolls a failed creation back before close() resolves', async () => {
    const { create, close, open, untilWaiting, tools } = gated('chpasswd');
    const creation = create('ada');
    await untilWaiting();
    const closed = close();
    open();
    await closed;
    expect(tools.read('passwd')).toBe('');
    expect(await creation).toMatchObject({ kind: 'failed', rolledBack: 'removed' });
  });

  it('closes twice, and with nothing in progress', async () => {
    const { close } = gated();
    await close();
    await expect(close()).resolves.toBeUndefined();
  });
});

const NOT_NAMES: readonly string[] = [
  '',
  'Ada',
  '1a',
  '_a',
  '-a',
  'a-',
  'a b',
  'a.b',
  '..',
  'x;y',
  'a/b',
  'a:b',
  'a$',
  'a\n',
  'a\0',
  'é',
  'ａ',
  '--help',
  '$(id)',
  'ada\nroot',
];

describe('nameFault', () => {
  it.each(['a', 'ada', 'a1', 'ada_l', 'ada-l', 'x'.repeat(32)])('accepts %s', (name) => {
    expect(nameFault(name, 'sudo')).toBeUndefined();
  });

  it.each([...NOT_NAMES, 'x'.repeat(33)])('finds %j unusable', (name) => {
    expect(nameFault(name, 'sudo')).toBe('unusable');
  });

  it.each(['root', 'wheel', 'admin', 'docker', 'www-data', 'systemd-network', 'debian-tor', 'hostauth'])(
    'finds %s reserved on every host',
    (name) => {
      expect(nameFault(name, 'sudo')).toBe('reserved');
    },
  );

  it('finds the name of the administrators’ group reserved', () => {
    expect(nameFault('operators', 'operators')).toBe('reserved');
    expect(nameFault('operators', 'sudo')).toBeUndefined();
  });

  it('accepts only texts that no tool reads as an option, a path or a second field', () => {
    const text = oneof(string(), stringMatching(/^[a-zA-Z0-9_:./\n-]{0,34}$/));
    checkProperty(
      property(text, (name) => {
        if (nameFault(name, 'sudo') !== undefined) return;
        expect(name).not.toMatch(/^-|[^a-z0-9_-]|-$/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(32);
      }),
    );
  });
});
