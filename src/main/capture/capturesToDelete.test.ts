import { array, boolean, integer, nat, property, record, uuid } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import type { CaptureEntry } from './captureFolder.ts';
import { type CaptureLimits, capturesToDelete } from './limitCaptures.ts';

const NOW = Date.parse('2026-11-20T09:00:00.000Z');
const DAY = 24 * 60 * 60 * 1000;
const DEFAULTS: CaptureLimits = { captureDays: 30, captureMegabytes: 1000 };

/** A recording whose last record has the given age in days. */
const recording = (path: string, days: number, fields: Partial<CaptureEntry> = {}): CaptureEntry => ({
  path,
  bytes: 1_000_000,
  writtenAt: NOW - days * DAY,
  isRecording: true,
  isOpen: false,
  ...fields,
});

const pathsOf = (captures: readonly CaptureEntry[], limits: Partial<CaptureLimits> = {}) =>
  capturesToDelete(captures, { ...DEFAULTS, ...limits }, NOW).map(({ path }) => path);

describe('selects the recordings that exceed a limit', () => {
  test('deletes those older than the limit of days, the oldest first, and not one of exactly that age', () => {
    const captures = [recording('a', 1), recording('b', 31), recording('c', 30), recording('d', 400)];
    expect(pathsOf(captures)).toEqual(['d', 'b']);
  });

  test('deletes the oldest until the others are within the limit of megabytes', () => {
    const captures = [recording('a', 1), recording('b', 3), recording('c', 2), recording('d', 4)];
    expect(pathsOf(captures, { captureMegabytes: 2 })).toEqual(['d', 'b']);
    expect(pathsOf(captures, { captureMegabytes: 4 })).toEqual([]);
  });

  test('keeps everything without limits', () => {
    const captures = [recording('a', 10_000, { bytes: 1e12 })];
    expect(pathsOf(captures, { captureDays: null, captureMegabytes: null })).toEqual([]);
  });

  test('keeps the recording that is being written, whose size counts', () => {
    const open = recording('open', 90, { bytes: 3_000_000, isOpen: true });
    expect(pathsOf([open, recording('a', 1)], { captureMegabytes: 2 })).toEqual(['a']);
  });

  test('keeps what a person saved, and does not count it', () => {
    const saved = recording('saved', 400, { bytes: 5e9, isRecording: false });
    expect(pathsOf([saved, recording('a', 1)])).toEqual([]);
  });

  test('keeps a file that is dated in the future', () => {
    expect(pathsOf([recording('a', -365)])).toEqual([]);
  });

  test('never leaves more than the limits, except the open recording', () => {
    const entry = record({
      path: uuid(),
      bytes: nat(3_000_000),
      writtenAt: integer({ min: NOW - 90 * DAY, max: NOW }),
      isRecording: boolean(),
      isOpen: boolean(),
    });
    checkProperty(
      property(array(entry), integer({ min: 1, max: 20 }), (captures, captureMegabytes) => {
        const deleted = new Set(capturesToDelete(captures, { captureDays: 30, captureMegabytes }, NOW));
        const left = captures.filter((one) => one.isRecording && !deleted.has(one));
        const total = left.reduce((sum, { bytes }) => sum + bytes, 0);
        const closed = left.filter(({ isOpen }) => !isOpen);
        expect(closed.length === 0 || total <= captureMegabytes * 1_000_000).toBe(true);
        expect(closed.every(({ writtenAt }) => writtenAt >= NOW - 30 * DAY)).toBe(true);
        expect([...deleted].every(({ isRecording, isOpen }) => isRecording && !isOpen)).toBe(true);
      }),
    );
  });
});
