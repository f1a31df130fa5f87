import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describePackage } from './describePackage.ts';
import { createProject, packPackage } from './project.ts';

/** The most packages that an installation may add: the README of the package names it. */
const MOST_PACKAGES = 60;

describePackage(() => process.execPath);

test('an installation adds few packages, and Node loads neither Electron nor React', async () => {
  const project = await createProject('service');
  await project.install(await packPackage());
  const { packages } = JSON.parse(await readFile(project.at('node_modules/.package-lock.json'), 'utf8'));
  // Without those that the service has itself.
  const names = Object.entries(packages).flatMap(([name, entry]) => {
    const { dev, devOptional } = Object(entry);
    return dev === true || devOptional === true ? [] : name;
  });
  expect(names).toContain('node_modules/@parley/replay');
  expect(names.length).toBeLessThanOrEqual(MOST_PACKAGES);
  expect(names.join('\n')).not.toMatch(/electron|react/);

  const dist = project.at('node_modules/@parley/replay/dist');
  const maps = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js.map'));
  const sources = await Promise.all(
    maps.map(
      async (name): Promise<string[]> => JSON.parse(await readFile(`${dist}/${name}`, 'utf8')).sources,
    ),
  );
  expect(sources.flat().join('\n')).toMatch(/\/replayTool\.ts$/m);
  expect(sources.flat().filter((source) => /node_modules\/(?:electron|react)/.test(source))).toEqual([]);
  process.stdout.write(`@parley/replay: ${names.length} packages installed\n`);
});
