import { describe, expect, it, vi } from 'vitest';
import { captureText } from '../../model/testing/captureText.ts';
import { type InspectorClient, StoppedError } from '../../protocol/workerClient.ts';
import { createInspector } from './createInspector.ts';
import { SearchError, parseSearch } from './stepSearch.ts';
import { modelClient } from './testing/modelClient.ts';

vi.stubGlobal('innerHeight', 900);

describe('parseSearch', () => {
  it.each([
    ['1.230', 1230],
    ['2:03.400', 123_400],
    ['1500 ms', 1500],
  ])('parses the time %s as %d ms', (text, t) => {
    expect(parseSearch({ kind: 'time', text })).toEqual({ kind: 'time', t });
  });

  it('removes the white space around an expression', () => {
    expect(parseSearch({ kind: 'expression', text: ' connection == 1 ' })).toEqual({
      kind: 'expression',
      expression: 'connection == 1',
    });
  });

  it.each([
    ['update', 'twelve'],
    ['time', '1 year'],
    ['frame', '  '],
  ] as const)('rejects the %s %j', (kind, text) => {
    expect(() => parseSearch({ kind, text })).toThrow(SearchError);
  });
});

/** Opens a session whose searches are stopped from then on, as a pattern can cause. */
async function opened() {
  const model = modelClient();
  let isStopped = false;
  const request: InspectorClient['request'] = (name, params) =>
    isStopped && name.startsWith('find')
      ? Promise.reject(new StoppedError('Stopped.'))
      : model.request(name, params);
  const inspector = createInspector({ ...model, request });
  const file = new Blob([captureText([{ t: 0, type: 'open' }])]);
  await inspector.open({ kind: 'file', file, name: 'x' }, { step: 1 });
  const stop = () => (isStopped = true);
  return { inspector, state: inspector.store.get, stop };
}

describe('a search that was stopped', () => {
  const search = { kind: 'frame', text: '/(a+)+$/' } as const;

  it('shows the reason at its field, and keeps the search and the step', async () => {
    const { inspector, state, stop } = await opened();
    stop();
    inspector.search.set(search);
    await inspector.search.find('forward');
    expect(state()).toMatchObject({ search, searchError: 'Stopped.', step: 1 });
    inspector.search.set({ text: 'a' });
    expect(state().searchError).toBeUndefined();
  });

  it('turns off the breakpoints that it looked for, and says so', async () => {
    const { inspector, state, stop } = await opened();
    for (const text of ['/a/', '/(a+)+$/']) {
      inspector.search.set({ kind: 'frame', text });
      await inspector.breakpoints.add();
    }
    stop();
    await inspector.breakpoints.by(-10);
    expect(state().breakpoints.map(({ isOn }) => isOn)).toEqual([false, false]);
    expect(state().notice).toEqual({ text: 'Stopped. The breakpoints are turned off.', isError: true });
    await inspector.breakpoints.by(-10);
    expect(state().step).toBe(0);
  });
});
