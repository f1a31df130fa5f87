import { describe, expect, test } from 'vitest';
import { createConcurrencyLimiter } from './concurrencyLimiter.ts';

/** A limiter whose tasks and clock the test controls. */
function scene({ concurrency, waiting }: { concurrency: number; waiting: number }) {
  const calls = new Set<() => void>();
  const clock = {
    after(_: number, call: () => void) {
      calls.add(call);
      return () => void calls.delete(call);
    },
  };
  const limiter = createConcurrencyLimiter({ concurrency, waiting, timeoutMs: 1000, clock });
  const begun: { name: string; end: () => void; fail: () => void }[] = [];
  const take = (name: string) =>
    limiter.run(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push({ name, end: () => resolve(name), fail: () => reject(new Error(name)) });
        }),
    );
  return {
    limiter,
    take,
    begun,
    names: () => begun.map(({ name }) => name),
    timeIsUp: () => calls.forEach((call) => call()),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('the concurrency limiter', () => {
  test('runs further tasks in the order of their calls as others end', async () => {
    const { take, begun, names, settled } = scene({ concurrency: 2, waiting: 2 });
    const all = ['a', 'b', 'c', 'd'].map(take);
    expect(names()).toEqual(['a', 'b']);
    begun[1]?.end();
    await settled();
    expect(names()).toEqual(['a', 'b', 'c']);
    begun[0]?.end();
    await settled();
    begun[2]?.end();
    begun[3]?.end();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('refuses a task at once when the queue is full', async () => {
    const { take, names } = scene({ concurrency: 1, waiting: 1 });
    void take('runs');
    void take('waits');
    expect(await take('too many')).toBeUndefined();
    expect(names()).toEqual(['runs']);
  });

  test('refuses a task that has waited too long, and frees its place in the queue', async () => {
    const { take, begun, names, timeIsUp, settled } = scene({ concurrency: 1, waiting: 1 });
    void take('runs');
    const late = take('late');
    timeIsUp();
    expect(await late).toBeUndefined();
    const next = take('next');
    begun[0]?.end();
    await settled();
    expect(names()).toEqual(['runs', 'next']);
    begun[1]?.end();
    expect(await next).toBe('next');
  });

  test('passes on the slot of a task that fails', async () => {
    const { take, begun, names, settled } = scene({ concurrency: 1, waiting: 1 });
    const failing = take('fails');
    void take('next');
    begun[0]?.fail();
    await expect(failing).rejects.toThrow('fails');
    await settled();
    expect(names()).toEqual(['fails', 'next']);
  });

  test('runs earlier tasks and refuses later ones after close()', async () => {
    const { limiter, take, begun, settled } = scene({ concurrency: 1, waiting: 1 });
    const before = [take('runs'), take('waits')];
    const closed = limiter.close();
    expect(await take('after')).toBeUndefined();
    begun[0]?.end();
    await settled();
    begun[1]?.end();
    await closed;
    expect(await Promise.all(before)).toEqual(['runs', 'waits']);
  });
});
