import { expect, test } from 'vitest';
import { ancestorPaths } from './stateTree.ts';

test('returns the places above a path, with the index of the next one in a list', () => {
  expect(ancestorPaths('messages[3].content[0]["a [1]"].b')).toEqual([
    { path: 'messages', index: 3 },
    { path: 'messages[3]', index: undefined },
    { path: 'messages[3].content', index: 0 },
    { path: 'messages[3].content[0]', index: undefined },
    { path: 'messages[3].content[0]["a [1]"]', index: undefined },
  ]);
  expect(ancestorPaths('person')).toEqual([]);
});
