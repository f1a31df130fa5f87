import { temporaryRepository } from '#replay/compare/testing/repository.ts';
import { writeCapture } from '#replay/testing/files.ts';
import { recv } from './recv.ts';
import { item, message } from './updateOf.ts';

/** The path of the fold, which tests change. */
export const FOLD = 'src/shared/conversation/applyUpdate.ts';

/** Creates a repository, and two sessions: one with a context of its own, one without. */
export async function compareSessions() {
  const repository = await temporaryRepository();
  const messages = Array.from({ length: 40 }, (_, i) => message(`m-${i}`));
  const opening = [recv(0, { person: 'Ada', messages }), recv(1, item('hi'))];
  const { at } = repository;
  const captures = [
    await writeCapture(at('labelled.parley.jsonl'), [...opening, recv(2, { context: 'Ada’s' })]),
    await writeCapture(at('plain.parley.jsonl'), opening),
  ];
  return { ...repository, captures };
}
