import { expect, test } from 'vitest';
import { createRecorder } from '../record.ts';
import { linesOf, virtualNow } from './testing/recorded.ts';

/** An event source whose events the test sends. */
class FakeSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;
  constructor(readonly url: string) {
    super();
  }
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  receive(type: string, data: string, lastEventId = ''): void {
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
  }
  fail(state: 0 | 2): void {
    this.readyState = state;
    this.dispatchEvent(new Event('error'));
  }
  close(): void {
    this.readyState = 2;
  }
}

test('records the events to which the app listens, and the interruptions', () => {
  const recorder = createRecorder({ app: 'x', clear: ['type'], now: virtualNow() });
  const source = new (recorder.eventSource(FakeSource))('/events');
  expect(source).toBeInstanceOf(FakeSource);
  const seen: unknown[] = [];
  source.open();
  source.receive('message', '{"type":"hello","name":"Ada"}', 'Ada-1');
  source.receive('card', '{"title":"not heard"}');
  source.addEventListener('card', (event) => void seen.push(event));
  source.addEventListener('card', (event) => void seen.push(event));
  source.receive('card', 'Ada');
  source.fail(0);
  source.fail(0);
  source.open();
  source.close();
  expect(seen).toHaveLength(2);
  expect(linesOf(recorder.save()).slice(1)).toMatchObject([
    { type: 'open' },
    {
      type: 'recv',
      data: JSON.stringify({ event: 'message', data: '{"type":"hello","name":"person-0"}', id: 'id-0' }),
    },
    { type: 'recv', data: '{"event":"card","data":"person-0"}' },
    { type: 'close', code: 1006, reason: '' },
    { type: 'open' },
    { type: 'close', code: 1000, reason: '' },
    { type: 'end' },
  ]);
});

test('records no action that the app dispatches while it handles an event', () => {
  const recorder = createRecorder({ app: 'x', now: virtualNow() });
  const dispatch = recorder.middleware({ record: () => true })(undefined)(() => undefined);
  const source = new (recorder.eventSource(FakeSource))('/events');
  source.addEventListener('message', () => void dispatch({ type: 'from/frame' }));
  source.receive('message', '{}');
  dispatch({ type: 'from/person' });
  const actions = linesOf(recorder.save()).filter(({ type }) => type === 'action');
  expect(actions).toMatchObject([{ action: { type: 'from/person' } }]);
});
