import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launchHeadlessShell } from '#tests/browser/harness/chromium.ts';
import { type RecordedTest, captureFixture } from './playwright.ts';
import { startServer } from './recorder/testing/recorded.ts';
import { runTool, temporaryFolder } from './testing/files.ts';

const ADAPTER = join(import.meta.dirname, 'testing/counterAdapter.ts');
const EXPORT = `export { counterAdapter as adapter } from ${JSON.stringify(ADAPTER)};`;

/** A page that opens a socket and sends a frame; the server answers with what it counts, and a binary frame on another socket. */
function startApp(): Promise<string> {
  const page = `<script>
    const socket = new WebSocket('ws://' + location.host);
    socket.onopen = () => socket.send('count');
    const other = new WebSocket('ws://' + location.host + '/other');
    other.binaryType = 'arraybuffer';
    Promise.all([socket, other].map((one) => new Promise((resolve) => (one.onmessage = resolve))))
      .then(() => document.title = 'done');
  </script>`;
  return startServer(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(page),
    (socket, path) => {
      if (path === '/other') socket.send(Buffer.from([1, 2]));
      else socket.on('message', () => socket.send('apples 2'));
    },
  );
}

test('the fixture of Playwright attaches the capture and the report of a test that fails, and nothing to one that passes', async () => {
  const address = await startApp();
  const browser = await launchHeadlessShell();
  onTestFinished(() => browser.close());
  const at = await temporaryFolder();
  const app = at('replay.adapter.ts');
  await writeFile(app, EXPORT);
  const [fixture, options] = captureFixture({ app });
  expect(options).toEqual({ auto: true });
  for (const status of ['passed', 'failed']) {
    const attached: string[] = [];
    const attach: RecordedTest['attach'] = async (name) => void attached.push(name);
    const info: RecordedTest = { status, expectedStatus: 'passed', outputPath: at, attach };
    const page = await browser.newPage();
    const use = async () => {
      await page.goto(address);
      await page.waitForFunction(() => document.title === 'done');
    };
    await fixture({ page }, use, info);
    expect(attached).toEqual(status === 'failed' ? ['session', 'session report'] : []);
  }
  const capture = await readFile(at('session.parley.jsonl'), 'utf8');
  expect(capture).toMatch(/"type":"send","data":"count"/);
  expect(capture).toMatch(/"type":"recv","data":"AQI="/);
  expect(capture).toMatch(/\n\{"t":[\d.]+,"type":"end"\}\n$/);
  const run = await runTool('run', at('session.parley.jsonl'), '--app', app, '--with', 'state', '--json');
  expect(run.out).toContain('"apples":2');
  expect(await readFile(at('session.html'), 'utf8')).toContain('id="inspector-capture"');
});
