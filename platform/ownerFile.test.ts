import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOwnerFile, writeOwnerFile } from './ownerFile.ts';

const OWNER = { apiUrl: 'http://127.0.0.1:4311', secret: 'a secret' };

test('writes the owner of the platform, and removes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'owner-'));
  const remove = writeOwnerFile(folder, OWNER);
  expect(readOwnerFile(folder)).toEqual(OWNER);
  remove();
  expect(readOwnerFile(folder)).toBeNull();
});

test('leaves a file that cannot be removed, so that the platform stops on a read-only disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'owner-'));
  const remove = writeOwnerFile(folder, OWNER);
  // A folder in its place cannot be removed as a file, also by root.
  const path = join(folder, 'platform-owner.json');
  rmSync(path);
  mkdirSync(path);
  expect(remove).not.toThrow();
});
