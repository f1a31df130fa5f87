import { expect, test } from 'vitest';
import { parseEndpointUrl } from './endpointSettings.ts';

test.each([
  ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
  ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434/v1'],
  ['http://localhost:1234/v1/', 'http://localhost:1234/v1'],
  ['HTTPS://Example.org/api/v1', 'https://example.org/api/v1'],
  ['https://example.org/v1/chat/completions', 'https://example.org/v1'],
  ['http://[::1]:8080', 'http://[::1]:8080/v1'],
])('returns the base URL of %s', (text, url) => {
  expect(parseEndpointUrl(text)).toBe(url);
});

test.each([
  '',
  'ollama',
  '127.0.0.1:11434',
  'localhost:11434',
  'ftp://127.0.0.1',
  'ws://127.0.0.1/v1',
  'http://ada:secret@127.0.0.1/v1',
  'http://127.0.0.1/v1?key=secret',
  'http://127.0.0.1/v1#models',
  'http://127.0.0.1:65536',
])('returns null for %j', (text) => {
  expect(parseEndpointUrl(text)).toBeNull();
});
