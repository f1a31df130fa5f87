import { expect, test } from 'vitest';
import { readSettings } from '#shared/settings.ts';
import { findPlatform } from './signIns.ts';

const BUILT_IN = {
  PARLEY_BUILT_IN_API_URL: 'http://127.0.0.1:4311',
  PARLEY_BUILT_IN_PLATFORM_URL: 'ws://127.0.0.1:4311',
  PARLEY_BUILT_IN_SECRET: 'of-the-owner',
};

test('gives the owner’s secret to the platform that this data folder started', () => {
  expect(findPlatform(readSettings(BUILT_IN), BUILT_IN)).toMatchObject({ ownerSecret: 'of-the-owner' });
});

test('gives the owner’s secret to no platform that the settings name', () => {
  const named = {
    ...BUILT_IN,
    PARLEY_API_URL: 'http://127.0.0.1:4311',
    PARLEY_PLATFORM_URL: 'ws://127.0.0.1:4311',
  };
  expect(findPlatform(readSettings(named), named).ownerSecret).toBeUndefined();
});
