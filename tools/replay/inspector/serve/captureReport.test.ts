import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { configIn } from '../testing/serveFor.ts';
import { reportHtml } from './captureReport.ts';

const TRICKS = ['</script>', '<script>', '<!--', '</SCRIPT >'];

async function* oneCapture() {
  yield 'AAEC';
}

async function htmlOf(script: string): Promise<string> {
  const files = { script, style: 'p { color: red }', worker: script };
  let html = '';
  for await (const piece of reportHtml({ files, name: 'x', capture: oneCapture() })) html += piece;
  return html;
}

test('writes a script that contains markup without ending its element or changing its strings', async () => {
  const script = `globalThis.tricks = ${JSON.stringify(TRICKS)};`;
  const html = await htmlOf(script);
  expect(html.match(/<script/gi)).toHaveLength(4);
  expect(html.match(/<\/script/gi)).toHaveLength(4);
  expect(html).not.toContain('<!--');
  const inline = /<script>(?<text>.*)<\/script>/s.exec(html)?.groups?.text ?? '';
  const list: unknown = JSON.parse(
    inline.slice('globalThis.tricks = '.length, -1).replaceAll(String.raw`\x3c`, String.raw`\u003c`),
  );
  expect(list).toEqual(TRICKS);
  expect(html).toContain(`script-src 'sha256-${createHash('sha256').update(inline).digest('base64')}'`);
});

test('keeps a group of a regular expression with the name script', async () => {
  expect(await htmlOf(String.raw`/at (?<script>\S+)/`)).toContain(String.raw`/at (?<script>\S+)/`);
});

test('configures the page with its worker and its capture', async () => {
  const html = await htmlOf('');
  expect(configIn(html)).toEqual({
    worker: { elementId: 'inspector-worker' },
    source: { elementId: 'inspector-capture', name: 'x' },
    makeTest: false,
  });
  expect(html).toContain('<script type="text/plain" id="inspector-capture">AAEC</script>');
});
