import { oneof, property, string, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { nameFault } from './createUser.ts';

const NOT_NAMES: readonly string[] = [
  '',
  'Ada',
  '1a',
  '_a',
  '-a',
  'a-',
  'a b',
  'a.b',
  '..',
  'x;y',
  'a/b',
  'a:b',
  'a$',
  'a\n',
  'a\0',
  'é',
  'ａ',
  '--help',
  '$(id)',
  'ada\nroot',
];

describe('nameFault', () => {
  it.each(['a', 'ada', 'a1', 'ada_l', 'ada-l', 'x'.repeat(32)])('accepts %s', (name) => {
    expect(nameFault(name, 'sudo')).toBeUndefined();
  });

  it.each([...NOT_NAMES, 'x'.repeat(33)])('finds %j unusable', (name) => {
    expect(nameFault(name, 'sudo')).toBe('unusable');
  });

  it.each(['root', 'wheel', 'admin', 'docker', 'www-data', 'systemd-network', 'debian-tor', 'hostauth'])(
    'finds %s reserved on every host',
    (name) => {
      expect(nameFault(name, 'sudo')).toBe('reserved');
    },
  );

  it('finds the name of the administrators’ group reserved', () => {
    expect(nameFault('operators', 'operators')).toBe('reserved');
    expect(nameFault('operators', 'sudo')).toBeUndefined();
  });

  it('accepts only texts that no tool reads as an option, a path or a second field', () => {
    const text = oneof(string(), stringMatching(/^[a-zA-Z0-9_:./\n-]{0,34}$/));
    checkProperty(
      property(text, (name) => {
        if (nameFault(name, 'sudo') !== undefined) return;
        expect(name).not.toMatch(/^-|[^a-z0-9_-]|-$/);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(32);
      }),
    );
  });
});
