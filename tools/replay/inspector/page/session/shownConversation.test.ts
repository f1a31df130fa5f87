import { expect, it } from 'vitest';
import { visibleMessages } from './shownConversation.ts';

it('draws as many messages as fill the page, at least five', () => {
  expect([300, 600, 900, 1440].map(visibleMessages)).toEqual([5, 5, 9, 19]);
});
