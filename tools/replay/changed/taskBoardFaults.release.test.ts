import { expect, test } from 'vitest';
import { FAULTS, plantFaults } from './testing/plantFaults.ts';

test('contract §7 verify --changed: of forty planted faults in the example app, it names exactly the failures that the full run names', async () => {
  const files = ['app/board.ts', 'app/boardView.ts', 'app/decodeFrame.ts', 'adapter.ts'];
  const { failing } = await plantFaults('task-board', files, 20_261_126);
  expect(failing).toBeGreaterThan(FAULTS / 4);
});
