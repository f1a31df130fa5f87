import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { credentialsSchema } from '#shared/ipc/validators.ts';
import { credentialsError } from '#shared/protocol/credentials.ts';
import { DISCRIMINATORS, decodeUpdate } from '#shared/protocol/update.ts';
import { outgoingSchema } from '#shared/protocol/outgoing.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../docs/platform.md'), 'utf8');

/** The examples of docs/platform.md. A code block names its kind after its language: ` ```json snapshot `. */
const EXAMPLES = Array.from(
  PAGE.matchAll(/^```json(?: (?<kind>\w+))?\n(?<text>.*?)^```$/gmsu),
  ({ groups: { kind = '', text = '' } = {} }) => ({ kind, text }),
);

/** Decodes an example as its receiver does; returns its kind, or what is wrong. A text message is an update of a text item, too. */
function decodedKind(kind: string, text: string): string {
  if (kind === 'outgoing')
    return outgoingSchema.safeParse(JSON.parse(text)).success ? kind : 'not sent by the client';
  if (kind === 'credentials') return credentialsError(credentialsSchema.parse(JSON.parse(text))) ?? kind;
  return decodeUpdate(text).kind;
}

test.each(EXAMPLES)('decodes an example of docs/platform.md as $kind: $text', ({ kind, text }) => {
  expect(decodedKind(kind, text)).toBe(kind);
});

test('docs/platform.md has an example of every kind of frame', () => {
  expect(new Set(EXAMPLES.map(({ kind }) => kind))).toEqual(
    new Set(['credentials', 'outgoing', ...DISCRIMINATORS.map(([kind]) => kind), 'notification']),
  );
});
