import { expect, test } from 'vitest';
import { CHECKS } from './checks.ts';
import type { Outcome, Subject } from './subject.ts';
import { FAULTS } from './testing/faults.ts';
import { memorySubject } from './testing/memorySubject.ts';

async function outcomeOf(id: string, subject: Subject): Promise<Outcome | undefined> {
  const outcome = await CHECKS.find((check) => check.id === id)?.run(subject);
  // No check leaves a socket of its own.
  expect(subject.sockets.slice(2).every(({ hasEnded }) => hasEnded())).toBe(true);
  return outcome;
}

function draw(title: string, outcome: Outcome | undefined): string {
  if (outcome?.result === 'failed') return `${title}\n  seen ${outcome.seen}; expected ${outcome.expected}\n`;
  return `${title}: ${outcome?.result === 'notTested' ? `not tested: ${outcome.why}` : 'ok'}\n`;
}

test('each check accepts what is right, finds its faults, and says what was seen and what is expected', async () => {
  const right = { ...(await memorySubject({})), say: ['And now?'] };
  const drawn: string[] = [];
  for (const { id } of CHECKS) {
    const note = FAULTS.every((fault) => fault.id !== id) ? ', which no fault changes' : '';
    drawn.push(draw(`a right platform: ${id}${note}`, await outcomeOf(id, right)));
  }
  drawn.push(`the checks of a right platform take ${right.clock.now()} ms\n`);
  for (const { id, words, fault, also } of FAULTS) {
    const subject = await memorySubject(fault());
    for (const earlier of also) await outcomeOf(earlier, subject);
    drawn.push(draw(`a platform that ${words}: ${id}`, await outcomeOf(id, subject)));
  }
  await expect(drawn.join('')).toMatchFileSnapshot('testing/outcomes.txt');
});
