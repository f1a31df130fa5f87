import { beforeAll, expect, test } from 'vitest';
import { createProject, packPackage } from './project.ts';

/** Each with the files for `tsc -p`, and the step that the fault changes first. */
const FIXTURES = [
  {
    name: 'service',
    configs: ['tsconfig.json'],
    fault: { file: 'src/jobs.js', from: "failed: 'failed'", to: "failed: 'done'" },
    step: '4 (failed, applied, at 900 ms)',
  },
  {
    name: 'typed',
    configs: ['tsconfig.node16.json', 'tsconfig.bundler.json'],
    fault: { file: 'src/scores.ts', from: 'minute !== message.minute', to: 'minute === message.minute' },
    step: '6 (setState, applied, at 150 ms)',
  },
];

/** Tests the packed package in projects outside of the checkout. @param nodes returns the executable with which its programs run. */
export function describePackage(node: () => string): void {
  let tarball = '';
  beforeAll(async () => {
    tarball = await packPackage();
  });

  test.each(FIXTURES)(
    'in the project $name, types check, and captures are verified: green, and red with a fault',
    async ({ name, configs, fault, step }) => {
      const project = await createProject(name, node());
      await project.install(tarball);
      for (const config of configs) await project.must('npx', 'tsc', '-p', config);
      expect(await project.must('npx', 'parley-replay', 'verify', 'captures')).toContain('1 same');
      expect(await project.must('npx', 'vitest', 'run')).toMatch(/Tests +2 passed/);
      await project.edit([fault]);
      const out = expect.stringContaining(`first differs after update ${step}`);
      for (const command of ['parley-replay verify captures', 'vitest run'])
        expect(await project.run('npx', ...command.split(' '))).toEqual({ status: 1, out });
    },
  );
}
