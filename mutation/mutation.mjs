/**
 * Measures which mutations of the code that a replay runs `verify` finds on the corpus.
 *
 *   npm run mutation [-- <file> …]
 *
 * Prints the mutations that `verify` does not find, and the score. Exit status: 0 at a score of at least 0.95, with at most 0.03 of all mutations
 * called equivalent, 1 otherwise, 2 for bad usage.
 */
import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { config } from './config.mjs';
import { equivalence } from './equivalence.mjs';
import { MUTATED_FILES } from './mutatedFiles.mjs';
import { replayedLines } from './replayedLines.mjs';

const REQUIRED = 0.95;
const MOST_EQUIVALENT = 0.03;

const files = process.argv.slice(2);
const unknown = files.find((file) => !MUTATED_FILES.includes(file));
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is not a file that a replay runs; mutation/mutatedFiles.mjs lists them\n`);
  process.exit(2);
}

/** Removes the copies of the sources: of this run, and of one that was killed. */
const removeSandboxes = () => rmSync(config.tempDirName, { recursive: true, force: true });
removeSandboxes();
// Stryker exits at a signal; its processes end when they lose their connection to this one.
process.on('exit', removeSandboxes);

const mutate = files.length > 0 ? files : [...MUTATED_FILES];
const { isEquivalent, unused } = equivalence(mutate);
const all = await new Stryker({ ...config, mutate }).runMutationTest();
const placeOf = ({ fileName, location }) => `${relative('', fileName)}:${location.start.line}`;
const replayed = replayedLines('out/replayCoverage');
const mutants = all.filter((mutant) => replayed.has(placeOf(mutant)));

const oneLine = (text) => text.replace(/\s+/g, ' ').slice(0, 100);
/** Without a quick test, the scan of a long frame may take longer than the time limit: such a mutation is still equivalent. */
const isFound = (mutant) =>
  mutant.status === 'Killed' || (mutant.status === 'Timeout' && !isEquivalent(mutant));
const undetected = mutants.filter((mutant) => !isFound(mutant));
const survivors = undetected.filter((mutant) => !isEquivalent(mutant));
const equivalent = undetected.length - survivors.length;
for (const mutant of survivors) {
  const { mutatorName, replacement, status } = mutant;
  process.stdout.write(`${placeOf(mutant)}  ${status}  ${mutatorName}  ${oneLine(replacement)}\n`);
}

for (const { file, code, replacement } of unused())
  process.stdout.write(
    `${file}: is found, or no mutation, but listed as equivalent: ${code} → ${replacement}\n`,
  );

const counted = mutants.length - equivalent;
const score = (counted - survivors.length) / counted;
const share = equivalent / mutants.length;
process.stdout.write(
  `\n${mutants.length} mutations: ${equivalent} equivalent (${share.toFixed(3)}, at most ${MOST_EQUIVALENT}), ${survivors.length} of the others not found, score ${score.toFixed(3)} (at least ${REQUIRED})\n`,
);
const isFine = score >= REQUIRED && (share <= MOST_EQUIVALENT || files.length > 0) && unused().length === 0;
process.exitCode = isFine ? 0 : 1;
