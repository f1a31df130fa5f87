import type { ContentItem } from '#shared/protocol/update.ts';
import type { AnswerPlace, NewId } from '../assistant.ts';
import type { Task } from '../context/findTask.ts';
import { readAttachment } from '../context/readAttachment.ts';
import { type Turn, readTurns } from '../context/readTurns.ts';
import type { ModelSource } from './modelSource.ts';
import { notice } from './notice.ts';

/** The conversation for the model, or a sentence for the person. */
export type Question =
  | { readonly turns: readonly Turn[]; readonly needed: number; readonly refusal?: never }
  | { readonly refusal: string; readonly turns?: never };

/** The options of `readQuestion`. */
interface QuestionOptions {
  readonly task: Task;
  readonly place: AnswerPlace;
  readonly source: ModelSource;
  readonly newId: NewId;
  readonly signal: AbortSignal;
}

const CONTINUE: Turn = {
  role: 'user',
  parts: [
    {
      kind: 'text',
      text: 'Continue your last answer exactly where it stopped. Repeat nothing, and do not mention the interruption.',
    },
  ],
};

const NOTHING_HEARD = 'I heard no words in the recording. Record it again, or write.';

/**
 * Reads the question of a task. A recording is turned into text, which the person sees as the recording's text.
 * @throws {EndpointError}
 */
export async function readQuestion(options: QuestionOptions): Promise<Question> {
  const { messages, continues } = options.task;
  if (continues) return { turns: [...readTurns(messages), CONTINUE], needed: 3 };
  const question = messages.at(-1);
  const item = question?.content?.[0];
  if (question === undefined || item === undefined) return { turns: readTurns(messages), needed: 1 };
  if (item.category === 'audio' && (item.text ?? '') === '') {
    const { source, signal } = options;
    const audio = Buffer.from(item.blob ?? '', 'base64');
    const heard = (await source.endpoint.transcribe(audio, signal)).trim();
    if (heard === '') return { refusal: NOTHING_HEARD };
    showHeard(heard, options);
    const known = { ...question, content: [{ ...item, text: heard }] };
    return { turns: readTurns([...messages.slice(0, -1), known]), needed: 1 };
  }
  const refusal = refusalOf(item);
  return refusal === null ? { turns: readTurns(messages), needed: 1 } : { refusal };
}

function refusalOf({ category, text, blob }: ContentItem): string | null {
  if (category !== 'file' && category !== 'image') return null;
  const file = readAttachment(text ?? '', blob ?? '');
  return file.kind === 'refused' ? file.sentence : null;
}

/** Shows the words of a recording: as its text if it is the newest message, which is all that an update can change. */
function showHeard(text: string, { task, place, newId }: QuestionOptions): void {
  if (place.messages().at(-1)?.id === task.messages.at(-1)?.id) place.send({ text });
  else place.send(notice(newId, `I heard: “${text}”`, { heard: text }));
}
