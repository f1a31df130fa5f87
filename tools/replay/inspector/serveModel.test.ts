import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { captureText } from './model/testing/captureText.ts';
import type { Reply, Request, RequestName, Requests } from './protocol/requests.ts';
import { readSource } from './readSource.ts';
import { serveModel } from './serveModel.ts';

type Answer = Exclude<Reply, { progress: unknown }>;

/** Creates the model of a worker; its clock ends the time slice at each check, so each pause lets messages in. */
function served() {
  const answers = new Map<number, (reply: Answer) => void>();
  const order: string[] = [];
  const names: string[] = [];
  let now = 0;
  const answer = serveModel({
    send: (reply) => {
      if ('progress' in reply) return;
      order.push(names[reply.id] ?? '');
      answers.get(reply.id)?.(reply);
    },
    now: () => (now += 1000),
    yieldToMessages: () => new Promise((resolve) => void setImmediate(resolve)),
    read: (source, loader) => readSource(source, { loader, onRead: () => undefined }),
  });
  const ask = <N extends RequestName>(name: N, params: Requests[N]['params']) => {
    const id = names.push(name) - 1;
    return new Promise<Answer>((resolve) => {
      answers.set(id, resolve);
      // The name and its params belong together; a pair of generic values cannot express that.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      answer({ id, name, params } as Request);
    });
  };
  return { ask, order };
}

const LONG = captureText(Array.from({ length: 3000 }, (_, i) => recv(i * 100, { name: `name ${i}` })));
const text = (content: string) => ({ source: { kind: 'text', text: content, name: 'x' } }) as const;
const file = (bytes: Uint8Array<ArrayBuffer>) =>
  ({ source: { kind: 'file', file: new Blob([bytes]), name: 'x.gz' } }) as const;

test('answers a view before a long filter that is in progress', async () => {
  const { ask, order } = served();
  await ask('load', text(LONG));
  const filtered = ask('filter', { filter: { text: 'name 2999' } });
  await ask('view', { step: 10 });
  expect(await filtered).toMatchObject({ result: { count: 2 } });
  expect(order).toEqual(['load', 'view', 'filter']);
});

test('answers a filter that a newer one replaces with `superseded`', async () => {
  const { ask } = served();
  await ask('load', text(LONG));
  const older = ask('filter', { filter: { text: 'a' } });
  const newer = ask('filter', { filter: { text: 'name 7' } });
  expect(await older).toMatchObject({ superseded: true });
  expect(await newer).toMatchObject({ result: { count: 222 } });
});

test('answers requests that arrive during a load after the load', async () => {
  const { ask } = served();
  const loaded = ask('load', text(LONG));
  expect(await ask('stepAt', { t: 1e9 })).toMatchObject({ result: 6000 });
  expect(await loaded).toMatchObject({ result: { updates: 3000 } });
});

test('answers with an error before a session is loaded', async () => {
  expect(await served().ask('save', {})).toMatchObject({ error: 'Nothing has been loaded yet.' });
});

describe('a gzipped file', () => {
  const zipped = new Uint8Array(gzipSync(LONG));

  test('is read when it is complete', async () => {
    expect(await served().ask('load', file(zipped))).toMatchObject({
      result: { updates: 3000, warnings: [] },
    });
  });

  test('is read up to a missing end, with a warning', async () => {
    const reply = await served().ask('load', file(zipped.slice(0, zipped.length - 2000)));
    expect(reply).toMatchObject({
      result: {
        warnings: ['x.gz: the gzip file ends too early; all before its end is used', expect.any(String)],
      },
    });
  });

  test('fails with an error when it is damaged', async () => {
    const broken = zipped.slice();
    broken.fill(0xff, 2, 20);
    expect(await served().ask('load', file(broken))).toMatchObject({
      error: expect.stringMatching(/^x\.gz: cannot be read: /),
    });
  });
});

test.each([
  ['x.har', '{\n  "log": { "version": "1.2" } }', /^This is a HAR.* open x\.har, .* import x\.har /],
  ['x.har.gz', gzipSync('{"log":{}}'), /^This is a HAR/],
  [
    'x.golden.json',
    '{\n  "format": "parley-golden" }',
    /^This is a golden.* Drop the capture, x\.parley\.jsonl\./,
  ],
  ['x.har.golden.json', '{"format":"parley-golden"}', / Drop the capture, x\.har\./],
  ['notes.txt', 'notes', /^notes\.txt:1: is not JSON/],
])('says what %s is', async (name, content, error) => {
  const { ask } = served();
  const answer = await ask('load', { source: { kind: 'file', file: new Blob([content]), name } });
  expect(answer).toMatchObject({ error: expect.stringMatching(error) });
});

test('fails a load at an invalid line and names the line', async () => {
  const { ask } = served();
  const bytes = new TextEncoder().encode(`${captureText([])}{}\n{}\n`);
  expect(await ask('load', file(bytes))).toMatchObject({ error: 'x.gz:2: has no time `t`' });
});
