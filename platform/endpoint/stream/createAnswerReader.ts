import { tryParseJson } from '#shared/tryParseJson.ts';
import type { AnswerPart, EndReason, Usage } from '../endpoint.ts';
import type { EndpointError } from '../endpointError.ts';
import { type AnswerFrame, answerFrameSchema } from './answerFrame.ts';
import { createThinkSplitter } from './createThinkSplitter.ts';
import { readFrame } from './readFrame.ts';

/** Makes the errors of an answer. */
export interface AnswerFailures {
  /** The answer is not in the public format; `what` continues "The server sent …". */
  readonly broken: (what: string) => EndpointError;
  readonly cut: () => EndpointError;
  /** The endpoint reported this error in the middle of the answer. */
  readonly reported: (error: unknown) => EndpointError;
}

/** Converts the frames of one answer to its parts. */
export interface AnswerReader {
  /**
   * Takes the JSON of a frame.
   * @throws {EndpointError}
   */
  take(json: string): AnswerPart[];
  /** Whether `[DONE]` was received: what follows is ignored. */
  readonly isDone: boolean;
  /** Whether the answer is complete: it has a finish reason, or `[DONE]`. */
  readonly isComplete: boolean;
  /** Returns the last parts of a complete answer. */
  end(): AnswerPart[];
}

const DONE = '[DONE]';
/** Maximum length of an answer with its reasoning, in characters. A window that shows 2,000,000 at once is busy for half a minute. */
const MAX_ANSWER = 500_000;

const REASONS: Readonly<Record<string, EndReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'filtered',
};

/** Creates a reader for one answer. */
export function createAnswerReader(failures: AnswerFailures): AnswerReader {
  const splitter = createThinkSplitter();
  let length = 0;
  let finishReason: string | null = null;
  let usage: Usage | null = null;
  let isDone = false;

  const takeFrame = (frame: AnswerFrame): AnswerPart[] => {
    const { error, thought, text, finishReason: reason } = readFrame(frame);
    if (error !== null) throw failures.reported(error);
    const { usage: tokens } = frame;
    if (tokens) usage = { promptTokens: tokens.prompt_tokens, answerTokens: tokens.completion_tokens };
    finishReason = reason ?? finishReason;
    length += thought.length + text.length;
    if (length > MAX_ANSWER) throw failures.broken('an answer of more than 500,000 characters');
    if (thought === '') return splitter.take(text);
    splitter.expectNoReasoning();
    return [{ kind: 'reasoning', text: thought }, ...splitter.take(text)];
  };

  return {
    take(json) {
      if (isDone) return [];
      isDone = json.trim() === DONE;
      if (isDone) return [];
      const { data } = answerFrameSchema.safeParse(tryParseJson(json));
      if (data === undefined) throw failures.broken('a frame that is not in the public format');
      return takeFrame(data);
    },
    get isDone() {
      return isDone;
    },
    get isComplete() {
      return isDone || finishReason !== null;
    },
    end: () => [
      ...splitter.end(),
      ...(usage === null ? [] : [{ kind: 'usage' as const, usage }]),
      { kind: 'end', reason: REASONS[finishReason ?? 'stop'] ?? 'other' },
    ],
  };
}
