import { expect, onTestFinished, test, vi } from 'vitest';
import { fromSnapshot, toMessage } from '#shared/conversation/conversation.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { type ExportFormat, createEmbedder, exportConversation } from './exportConversation.ts';
import { exportNote, exportTitle, withArrivalTime } from './exportTitle.ts';
import { messageMarkdown, textMarkdown } from './messageMarkdown.ts';
import { type Step, createSteps } from './createSteps.ts';
import { type MessagePart, messageText, runsOf } from './messageText.ts';

const text = (words: string): ContentItem => ({ category: 'text', text: words });
const conversation = fromSnapshot({
  person: 'Ada\nLovelace',
  messages: [
    { context: 'Ada', modifier: 'client', content: [text('two\nlines')] },
    { context: 'Empty', content: [] },
    { context: 'Parley', content: [text('*b*'), { category: 'image', text: 'a.png', blob: 'iVBORw0KGgo=' }] },
  ],
});
const today = new Date(2026, 10, 2, 9, 5);
const timeAt = (index: number) => (index === 0 ? today.getTime() : undefined);
const nothing = { readBlob: async () => null, step: () => undefined, today, timeAt };

async function exported(format: ExportFormat): Promise<string> {
  let all = '';
  const step = vi.fn<Step>();
  for await (const piece of exportConversation(conversation, format, { ...nothing, step })) all += piece;
  expect(step.mock.calls).toEqual([0, 1, 2].map((done) => [done, 3]));
  return all;
}

test('writes every message with its sender and the time of its arrival as plain text or Markdown, but none without content', async () => {
  const page = `${await exported('text')}\n${await exported('markdown')}`;
  await expect(page).toMatchFileSnapshot('testing/exported.txt');
  const short = fromSnapshot({ person: ' ', messages: [{}] });
  expect(`${exportTitle(short)}: ${exportNote(short, today)}`).toMatch(/^Conversation: 1 message, /u);
  expect(withArrivalTime({}, today.getTime())).toEqual({ context: '2026-11-02 09:05' });
});

const formatted = (words: string, of: string): ContentItem => ({ ...text(words), format: of });
const answer = toMessage({
  content: [
    formatted('*Why* not', 'reasoning'),
    formatted('# A **b**\n\n1. c_', 'markdown'),
    formatted('d_e\n2. `f`\n\n| g | h |\n|--|--|\n| $i^2$ | |\n', 'markdown'),
    text('*plain*'),
  ],
});

test('an answer is the text that is shown as plain text, and exactly its source as Markdown, without the reasoning, in which it has places', () => {
  expect(messageText(toMessage({ content: [formatted('', 'markdown')] }))).toBe('...');
  expect(messageText(toMessage({ content: [{ category: 'image', text: '' }] }))).toBe('Image');
  expect(messageText(answer)).toBe('A b\nc_d_e\nf\ng\th\ni^2\t\n*plain*');
  const source = '# A **b**\n\n1. c_d_e\n2. `f`\n\n| g | h |\n|--|--|\n| $i^2$ | |\n';
  expect(messageMarkdown(answer)).toBe(`${source}\n\n\\*plain\\*`);
  const part = (from: MessagePart['from'], to: MessagePart['to']) => messageText(answer, { from, to });
  expect(part({ item: 1, offset: 2 }, { item: 1, offset: 6 })).toBe('b\nc_');
  expect(part({ item: 0, offset: 4 }, { item: 1, offset: 3 })).toBe('not\nA b');
  const answerOnly = { from: { item: 0, offset: Infinity }, to: { item: 3, offset: 0 } };
  expect(runsOf(answer, answerOnly)).toMatchObject([{ isWhole: true, items: [{ index: 1 }, { index: 2 }] }]);
});

test('work pauses whenever it has lasted for 20 ms, says how far it is, and ends, as an export, when a person cancels it', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const closed = vi.spyOn(MessagePort.prototype, 'close');
  onTestFinished(() => void vi.restoreAllMocks());
  const progress = vi.fn<(done: number, of: number) => void>();
  const work = new AbortController();
  const step = createSteps({ onProgress: progress, signal: work.signal });
  for (const time of [19, 20, 39, 40, 80]) {
    clock.mockReturnValue(time);
    await step(time, 100);
  }
  expect([progress.mock.calls.join(' '), closed.mock.calls.length]).toEqual(['20,100 40,100 80,100', 3]);
  clock.mockReturnValue(100);
  const pieces = exportConversation(conversation, 'text', { ...nothing, step });
  for (const _ of ['the title', 'a message']) await pieces.next();
  work.abort(new Error('cancelled'));
  await expect(pieces.next()).rejects.toThrow('cancelled');
});

const reference = { head: 'iVBORw0KGgo', hash: 'f'.repeat(64), image: 'image/png' };
const addressesOf = async (read: string | null, ...content: readonly object[]) => {
  const message = toMessage({ content });
  const embed = createEmbedder(async (path) => (path.startsWith('/blob/7/') ? read : null));
  return Array.from(await embed(message, 7));
};

const fileOf = (base64: string) => [[0, `data:application/octet-stream;base64,${base64}`]];

test('contract §5 image over a limit: embeds what a message contains, also what only main has, an image that is not drawn as a file, and nothing that is too long or gone', async () => {
  const others = [
    { category: 'text', blob: 'QUJD' },
    ...['*', ''].map((blob) => ({ category: 'file', blob })),
    { category: 'audio', blob: 'QUJD' },
    { category: 'audio', blob: btoa('OggS') },
  ];
  const file = { category: 'file', blob: 'QU \tJD\n' };
  expect(await addressesOf('QUJD', { category: 'image', blob: reference }, file, ...others)).toEqual([
    [0, 'data:image/png;base64,QUJD'],
    [1, 'data:application/octet-stream;base64,QUJD'],
    [6, `data:audio/ogg;base64,${btoa('OggS')}`],
  ]);
  const blob = btoa('<svg xmlns="http://www.w3.org/2000/svg" id="a"><use href="#a"/></svg>');
  expect(await addressesOf(null, { category: 'image', blob })).toEqual(fileOf(blob));
  const long = { category: 'image', blob: { ...reference, image: null } };
  expect(await addressesOf('QUJD', long)).toEqual(fileOf('QUJD'));
  expect(await addressesOf(null, { category: 'image', blob: reference })).toEqual([]);
  expect(await addressesOf('A'.repeat(2_000_001), { category: 'file', blob: reference })).toEqual([]);
  const pictures = Array.from({ length: 9 }, () => ({ category: 'image', blob: reference }));
  expect(await addressesOf('A'.repeat(32 * 1024 * 1024), ...pictures)).toHaveLength(8);
});

test('converts a text to Markdown that shows it', async () => {
  const texts =
    'a plain sentence, with 3 words (and more).¦*a* _b_ `c` [d](e) <f> ~g~¦snake_case and 2 * 3¦# a\n- a\n1. a\n> a¦' +
    '1.a #a -a + a\n+\n12) a\n=a\n:- a¦a\n===¦a | b¦&amp; & b &#1; &¦a\r\nb\rc¦a  \n\n b\n\tc¦see https://example.org/a_b_c.';
  const pages = texts.split('¦').map((one) => `## ${JSON.stringify(one)}\n\n${textMarkdown(one)}\n`);
  await expect(pages.join('\n')).toMatchFileSnapshot('testing/texts.txt');
});
