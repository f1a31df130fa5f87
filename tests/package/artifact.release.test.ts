import { beforeAll, describe } from 'vitest';
import { NODE_LINES, installNode } from '../installNode.ts';
import { describePackage } from './describePackage.ts';

describe.each(NODE_LINES)('with Node %s', (line) => {
  let node = '';
  beforeAll(() => {
    node = installNode(line);
  });
  describePackage(() => node);
});
