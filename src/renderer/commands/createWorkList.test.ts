import { EventEmitter, once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { createWorkList } from './createWorkList.ts';
import { virtualClock } from '#shared/clock.ts';

function createList() {
  const clock = virtualClock();
  return { list: createWorkList(clock), passTime: () => clock.advance(1000) };
}

/** Returns work that ends only when it is cancelled. */
const never = async (_: unknown, signal: AbortSignal) =>
  void (await once(new EventEmitter(), 'end', { signal }));

test('shows work that takes longer than a moment, until it is done', async () => {
  const { list, passTime } = createList();
  const work = new EventEmitter();
  let changes = 0;
  list.subscribe(() => changes++);
  list.subscribe(expect.unreachable)();
  const done = list.run('Copying', async () => void (await once(work, 'end')));
  expect(list.current()).toEqual([]);
  passTime();
  expect(list.current()).toMatchObject([{ name: 'Copying', done: 0, of: 0 }]);
  work.emit('end');
  expect(await done).toBe('done');
  expect(list.current()).toEqual([]);
  expect(changes).toBe(2);
});

test('cancels one work, or all, without an error, never shows what is cancelled before a moment has passed, and logs the error of work that failed', async () => {
  const { list, passTime } = createList();
  const works = ['one', 'two', 'three'].map((name) => list.run(name, never));
  passTime();
  list.current()[1]?.cancel();
  expect(await works[1]).toBe('cancelled');
  expect(list.current().map(({ name }) => name)).toEqual(['one', 'three']);
  list.cancel();
  expect(await Promise.all(works)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  const work = list.run('four', never);
  list.cancel();
  expect(await work).toBe('cancelled');
  passTime();
  expect(list.current()).toEqual([]);
  const error = new Error('no memory');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(await list.run('Exporting', () => Promise.reject(error))).toBe('failed');
  expect(warn).toHaveBeenCalledWith('Exporting: failed', error);
  warn.mockRestore();
});
