import { expect, it } from 'vitest';
import { visibleMessages } from './shownConversation.ts';

it('draws as many messages as fill the page, at least four', () => {
  expect([300, 600, 900, 1440].map(visibleMessages)).toEqual([4, 6, 12, 22]);
});
