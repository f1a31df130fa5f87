import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream/promises';
import { CAPTURE_FORMAT, CAPTURE_VERSION, headerLine } from '#shared/capture/captureFormat.ts';
import { roundTime } from '#shared/clock.ts';
import { readAppPage } from './inspector/serve/appPage.ts';
import { captureReport } from './inspector/serve/captureReport.ts';

/** What is used of a page of Playwright. */
export interface RecordedPage {
  on(event: 'websocket', listener: (socket: PageSocket) => void): unknown;
}

/** What is used of a WebSocket of Playwright. */
export interface PageSocket {
  on(event: 'framesent', listener: (frame: PageFrame) => void): unknown;
  on(event: 'framereceived', listener: (frame: PageFrame) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** A frame, as Playwright reports it. */
export interface PageFrame {
  readonly payload: string | Uint8Array;
}

/** What is used of the information about a test of Playwright. */
export interface RecordedTest {
  readonly status?: string | undefined;
  readonly expectedStatus: string;
  outputPath(...parts: string[]): string;
  attach(name: string, options: { path: string; contentType: string }): Promise<void>;
}

/** Options of {@link captureFixture}. */
export interface CaptureFixtureOptions {
  /** The path of the adapter's module, with which the report draws the app; without it, only the capture is attached. */
  readonly app?: string;
}

/** The recording of a page. */
export interface PageRecording {
  /** Returns the capture so far: the sockets that the page opened since the recording began, unmasked. */
  text(): string;
}

/**
 * Records the WebSockets of a page as a capture. Begin before the page is loaded. Sockets of workers are not seen, and Playwright does not report
 * the code of a close: it is 1005.
 */
export function recordPage(page: RecordedPage): PageRecording {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const lines = [
    headerLine({ format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt, app: 'playwright' }),
  ];
  const now = () => roundTime(performance.now() - start);
  let sockets = 0;
  page.on('websocket', (socket) => {
    const number = ++sockets;
    const add = (record: object) =>
      lines.push(`${JSON.stringify({ t: now(), ...record, ...(number > 1 && { socket: number }) })}\n`);
    add({ type: 'open' });
    socket.on('framereceived', (frame) => add({ type: 'recv', ...dataOf(frame) }));
    socket.on('framesent', (frame) => add({ type: 'send', ...dataOf(frame) }));
    socket.on('close', () => add({ type: 'close', code: 1005, reason: '' }));
  });
  return { text: () => [...lines, `${JSON.stringify({ t: now(), type: 'end' })}\n`].join('') };
}

const dataOf = ({ payload }: PageFrame): object =>
  typeof payload === 'string'
    ? { data: payload }
    : { data: Buffer.from(payload).toString('base64'), encoding: 'base64' };

/**
 * Returns a fixture of Playwright that records the sockets of each test's page, and attaches to a test that fails the capture and, with an adapter, its
 * one-file report: `base.extend({ capture: captureFixture({ app: 'replay.adapter.ts' }) })`.
 */
export const captureFixture = ({ app }: CaptureFixtureOptions = {}): PageFixture => [
  // Playwright reads which fixtures it needs from the first parameter.
  async ({ page }, use, test) => {
    const recording = recordPage(page);
    await use(recording);
    if (test.status !== test.expectedStatus) await attach(recording, test, app);
  },
  { auto: true },
];

/** A fixture that runs for every test. */
export type PageFixture = [
  (
    fixtures: { readonly page: RecordedPage },
    use: (recording: PageRecording) => Promise<void>,
    test: RecordedTest,
  ) => Promise<void>,
  { auto: true },
];

/** Attaches a capture and its report. */
async function attach(recording: PageRecording, test: RecordedTest, app: string | undefined): Promise<void> {
  const path = test.outputPath('session.parley.jsonl');
  await writeFile(path, recording.text());
  await test.attach('session', { path, contentType: 'application/x-ndjson' });
  if (app === undefined) return;
  const report = test.outputPath('session.html');
  const { files, adapter } = await readAppPage(app);
  const content = { path, files, rules: adapter?.redact, redact: false, onWarning: () => undefined };
  await pipeline(captureReport(content), createWriteStream(report));
  await test.attach('session report', { path: report, contentType: 'text/html' });
}
