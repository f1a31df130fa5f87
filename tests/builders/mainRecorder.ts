import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { captureFolder } from '#main/capture/captureFolder.ts';
import { createNotices } from '#main/window/createNotices.ts';
import { noNotices, noticesReducer } from '#shared/store/notices.ts';
import { createRecorder } from '#main/capture/recorder.ts';
import { captureParser } from '#shared/capture/parseCapture.ts';
import { virtualClock } from '#shared/clock.ts';
import { mainFolder } from './mainFolder.ts';
import { mainLog } from './mainLog.ts';

/** Creates notices; `notes` are the texts that were raised since `start`, which gives them a store. */
export function testNotices() {
  const { notify, faults, begin } = createNotices();
  const notes: string[] = [];
  let notices = noNotices;
  const dispatch: Parameters<typeof begin>[0]['dispatch'] = (action) => {
    const { count } = notices;
    notices = noticesReducer(notices, action);
    const newest = [notices.standing, notices.passing].find((one) => one?.id === notices.count);
    if (notices.count > count) notes.push(newest?.text ?? '');
  };
  return { notify, faults, notes, start: () => begin({ getState: () => ({ notices }), dispatch }) };
}

/** A recorder as the program's start creates it, with its captures in a folder of the test. */
export type TestRecorder = ReturnType<typeof mainRecorder>;

/** Creates a recorder whose captures the test can read. */
export function mainRecorder(options: Partial<Parameters<typeof createRecorder>[0]> = {}) {
  const path = join(mainFolder(), 'captures');
  const clock = virtualClock();
  const kept = mainLog();
  const { faults, notes, start } = testNotices();
  start();
  const recorder = createRecorder({
    folder: captureFolder(path),
    clock,
    today: () => new Date('2026-11-20T09:00:00.000Z'),
    version: '0.1.0',
    writesFiles: true,
    log: kept.log,
    faults,
    ...options,
  });
  const files = () => (existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []);
  return { recorder, clock, kept, path, notes, files };
}

/** Parses the text of a complete capture. @throws when a line is not valid. */
export function parseCapture(text: string) {
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const parser = captureParser();
  return { header: parser.header(first), records: lines.map((line) => parser.record(line)) };
}

/** Reads a complete capture. @throws when a line is not valid. */
export const readCaptureFile = (path: string) => parseCapture(readFileSync(path, 'utf8'));
