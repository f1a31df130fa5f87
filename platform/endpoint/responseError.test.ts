import { expect, test } from 'vitest';
import { endpointText } from './responseError.ts';

test.each([
  ['{"error":{"message":"No."}}', 'No.'],
  ['{"error":"No."}', 'No.'],
  ['{"message":"No."}', 'No.'],
  ['{"detail":"No."}', 'No.'],
  ['{"detail":[{"msg":"No.","loc":[]}]}', 'No.'],
  ['No.\r\nReally\u202e\u0007 no.', 'No. Really no.'],
  ['<html><h1>No.</h1></html>', ''],
  ['{"other":1}', ''],
  ['{"error":', ''],
  ['', ''],
])('reads the words of %j', (body, text) => {
  expect(endpointText(body, null)).toBe(text);
});

test('clips a long text', () => {
  const text = endpointText('😀'.repeat(5000), null);
  expect(Array.from(text).length).toBe(300);
  expect(text.endsWith('😀…')).toBe(true);
});

test.each([
  ['Wrong key: abc123def456.', 'Wrong key: •••'],
  ['Wrong key: abc123****56', 'Wrong key: •••'],
  ['Wrong key: sk-someoneelses', 'Wrong key: •••'],
  ['Send Authorization: Bearer xyz', 'Send Authorization: •••'],
  ['The model is loading', 'The model is loading'],
])('hides keys in %j', (body, text) => {
  expect(endpointText(body, 'abc123def456')).toMatch(text);
});
