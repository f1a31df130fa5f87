import { describe, expect, test } from 'vitest';
import type { ContentItem } from '#shared/protocol/update.ts';
import type { MarkedMessage } from './markedMessage.ts';
import { eveningPicture } from './pictures.ts';
import { findUnfinished, readAttachment, readTurns } from './readQuestion.ts';

const item = (category: string, text: string | null, blob: string | null = null): ContentItem => ({
  category,
  text,
  html: null,
  blob,
});
const said = (...content: ContentItem[]): MarkedMessage => ({ modifier: 'client', content });
const asked = (text: string) => said(item('text', text));
const answered = (text: string, context = 'llama'): MarkedMessage => ({
  modifier: 'ai',
  model: 'stub',
  context,
  content: [{ ...item('text', text), format: 'markdown' }],
});
const noticed = (text: string): MarkedMessage => ({
  modifier: 'admin',
  notice: true,
  content: [item('text', text)],
});
const foreign: MarkedMessage = { modifier: 'ai', content: [item('text', 'You said: hello')] };
const text = (role: string, words: string) => ({ role, parts: [{ kind: 'text', text: words }] });

describe('the turns of a conversation', () => {
  test('reads what the person and the model said after the last message of the demonstration, without notices and `usage`', () => {
    const messages = [
      asked('hello'),
      foreign,
      noticed('Hello'),
      asked('Who are you?'),
      answered('A model.'),
      asked(' Usage '),
      { modifier: 'admin', content: [item('text', 'A cut.')], notice: true },
      asked('Thanks'),
    ];
    expect(readTurns(messages)).toEqual([
      text('user', 'Who are you?'),
      text('assistant', 'A model.'),
      text('user', 'Thanks'),
    ]);
  });

  test('leaves out the words of a question that failed, and keeps its files', () => {
    const failure = { ...noticed('It failed.'), failed: true };
    const sentFile = said(item('file', 'a.txt', Buffer.from('Words').toString('base64')));
    const messages = [asked('A joke'), answered('Ha.'), sentFile, asked('lost'), failure, asked('Thanks')];
    expect(readTurns(messages)).toEqual([
      text('user', 'A joke'),
      text('assistant', 'Ha.'),
      { role: 'user', parts: [{ kind: 'file', name: 'a.txt', text: 'Words' }] },
      text('user', 'Thanks'),
    ]);
  });

  test('reads text files, pictures and what was heard, and leaves out what cannot be read', () => {
    const picture = Buffer.from('GIF89a').toString('base64');
    const messages = [
      said(item('file', 'a.txt', Buffer.from('Words').toString('base64'))),
      said(item('image', 'a.gif', picture)),
      said(item('audio', 'Spoken words')),
      said(item('audio', null)),
      said(item('file', 'a.zip', 'UEsDBA==')),
      { ...noticed('I heard: “Later.”'), heard: 'Later.' },
    ];
    const image = { kind: 'image', name: 'a.gif', url: `data:image/gif;base64,${picture}` };
    expect(readTurns(messages)).toEqual([
      { role: 'user', parts: [{ kind: 'file', name: 'a.txt', text: 'Words' }] },
      { role: 'user', parts: [image] },
      text('user', 'Spoken words'),
      text('user', 'Later.'),
    ]);
  });

  test.each(['llama · stopped', 'llama · cut off', 'llama is writing…'])(
    '`continue` is about the last answer when its label is “%s”',
    (label) => {
      const messages = [asked('A story'), answered('Once', label)];
      const unfinished = findUnfinished([...messages, noticed('It was stopped.')]);
      expect(unfinished).toEqual({ messages, continues: true });
    },
  );
});

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const latin1 = (content: string) => Buffer.from(content, 'latin1').toString('base64');

describe('a file for the model', () => {
  test('reads UTF-8 as text, whatever its name is', () => {
    for (const name of ['notes.txt', 'drawing.svg', 'data']) {
      const expected = { kind: 'text', text: 'Grüße\r\n\tこんにちは' };
      expect(readAttachment(name, base64('\u{feff}Grüße\r\n\tこんにちは'))).toEqual(expected);
    }
  });

  test.each([
    ['image/png', eveningPicture()],
    ['image/jpeg', latin1('\u{ff}\u{d8}\u{ff}\u{e0}')],
    ['image/gif', latin1('GIF89a')],
    ['image/webp', latin1('RIFF\n\n\n\nWEBPVP8 ')],
  ])('reads %s as a data URL, whatever its name is', (type, blob) => {
    const url = `data:${type};base64,${blob}`;
    expect(readAttachment('picture.bin', blob)).toEqual({ kind: 'image', url });
  });

  test.each([
    ['old.txt', latin1('Gr\u{fc}\u{df}e')],
    ['A.PDF', base64('%PDF-1.7')],
    ['core', base64('\u{0}')],
  ])('refuses %s in words', (name, blob) => {
    expect(readAttachment(name, blob)).toEqual({
      kind: 'refused',
      sentence: `I cannot read “${name}”. Send a text file, or a picture as PNG, JPEG, GIF or WebP.`,
    });
  });
});
