import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Checks that `docs/conformance.md` names tests for every row. The titles in it are generated from the tests soon. */
const ROOT = resolve(import.meta.dirname, '..');

const of = (section: string, ...names: readonly string[]) => names.map((name) => `${section} ${name}`);
const rowsOf = (section: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${section} row ${index + 1}`);

/** What the specification and the contract rule, and a test must hold. */
const IN_SCOPE = [
  ...of('§2.1', 'email', 'password', 'name'),
  ...of('§2.2', 'account identifier'),
  ...of('§2.3', 'category', 'text', 'blob'),
  ...of('§2.4', 'category', 'text', 'html', 'blob'),
  ...of('§2.5', 'id', 'modifier', 'content', 'context', 'avatar', 'seen', 'grouping'),
  ...of('§2.6', 'person', 'messages'),
  ...of('§2.7', 'token', 'username', 'storage'),
  ...rowsOf('§3.1', 6),
  ...rowsOf('§3.2', 3),
  '§3.2 errors',
  ...rowsOf('§3.3', 4),
  '§3.3 start-up',
  ...rowsOf('§3.4', 2),
  '§4.1',
  '§4.2',
  '§4.2 not open',
  ...rowsOf('§4.3', 4),
  ...of('§4.4', 'item 1', 'item 2', 'item 3', 'item 4'),
  ...of('§5', 'item 1', 'item 2', 'item 3'),
  '§6.1 order',
  ...rowsOf('§6.1', 7),
  '§6.2',
  ...of('§6.3', 'account', 'message (heard)', 'ws', 'record', 'playback'),
  ...of('§6.3', 'messenger', 'message (said)', 'logout', 'encode', 'auth', 'nav'),
  ...rowsOf('§7', 13),
  ...of('§8', 'text length', 'file size', 'ping interval', 'reconnect delay', 'queue tick', 'form debounce'),
  ...of('§8', 'password', 'name', 'recording length', 'playback end', 'session slots'),
  ...of('contract §2', 'bad values', 'plain address', 'trailing slash', 'path segment', 'another platform'),
  ...of('contract §2', 'cannot decrypt', 'data folder', 'ready line', 'port', 'token', 'foreign requests'),
  ...of('contract §3', 'view', 'connection', 'form', 'conversation', 'message', 'content item', 'file'),
  ...of(
    'contract §3',
    'floating icon',
    'text box',
    '250 characters',
    'alert',
    'buttons',
    'long conversations',
  ),
  ...of('contract §3', 'texts', 'errors', 'one request', 'initials', 'empty name', 'sending', 'file button'),
  ...of('contract §3', 'Reconnect', 'web host'),
  ...of(
    'contract §4',
    'names',
    'a seventh',
    'on',
    'validators',
    'message',
    'ws',
    'synchronisation',
    'parleyTools',
  ),
  'contract §2 PARLEY_CAPTURE',
  'contract §2 PARLEY_AUDIO',
  'contract §4 record, playback',
  ...of('contract §5', 'present', 'types', 'missing', 'other fields', 'rejected', 'duplicate ids', 'ignored'),
  ...of('contract §5', 'markup over a limit', 'an item that fails'),
  ...of('contract §5', 'ticks', 'first ping', 'silence', 'ended', 'order'),
  ...of('contract §8', 'host', 'foreign requests', 'PAM service', 'users', 'lifetime', 'slots'),
  ...of('contract §8', 'failures', 'bad settings', 'ready line', 'JSON only', 'POST /auth', 'GET /me'),
  ...of('contract §8', 'POST /logout', 'sessions', 'a session ends with its account', 'POST /users'),
  ...of('contract §8', 'other calls', 'problems', '401', 'no-store', 'full'),
  'contract §1 drain',
  'contract §1 npm run hostauth',
];

interface Row {
  readonly id: string;
  /** Each `path › title`. */
  readonly tests: readonly string[];
}

const ROWS: readonly Row[] = readFileSync(resolve(ROOT, 'docs/conformance.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?:contract )?§/u.test(line))
  .map((line) => {
    const [, id = '', , cell = ''] = line.split('|').map((part) => part.trim());
    return { id, tests: cell.split('<br>').filter((test) => test !== '') };
  });

describe('docs/conformance.md', () => {
  it('its rows, exactly those of the specification and the contract, each once', () => {
    expect(ROWS.map(({ id }) => id).sort()).toEqual(IN_SCOPE.toSorted());
  });

  it('a row without a test, none', () => {
    expect(ROWS.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });
});
