import { expect, it } from 'vitest';
import { viewerCommand } from './viewerCommand.ts';

const press = (key: string, modifiers: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...modifiers,
});

it.each([
  ['+', 'zoomIn', 'zoomIn'],
  ['=', 'zoomIn', 'zoomIn'],
  ['-', 'zoomOut', 'zoomOut'],
  ['0', 'fit', 'fit'],
  ['PageUp', 'previous', 'previous'],
  ['PageDown', 'next', 'next'],
  ['ArrowLeft', 'previous', 'panLeft'],
  ['ArrowRight', 'next', 'panRight'],
  ['ArrowUp', null, 'panUp'],
  ['ArrowDown', null, 'panDown'],
  ['Escape', null, null],
  ['a', null, null],
])('maps %s to %s in an image that fits, and to %s in a larger one', (key, fitting, larger) => {
  expect(viewerCommand(press(key), false)).toBe(fitting);
  expect(viewerCommand(press(key), true)).toBe(larger);
});

it.each(['ctrlKey', 'metaKey', 'altKey'])('leaves a key with %s to the browser', (modifier) => {
  expect(viewerCommand(press('0', { [modifier]: true }), true)).toBeNull();
});
