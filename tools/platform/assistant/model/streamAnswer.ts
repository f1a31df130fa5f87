import type { AnswerPart, Model } from '../../endpoint/endpoint.ts';
import { EndpointError } from '../../endpoint/endpointError.ts';
import { type FittedContext, fitWindow } from '../context/fitWindow.ts';
import type { Turn, TurnPart } from '../context/readTurns.ts';
import type { ModelSource } from './modelSource.ts';

/** What was changed so that the endpoint accepts the conversation. */
export interface Adaptation extends Pick<FittedContext, 'isCut' | 'isClipped'> {
  /** The model does not accept pictures, and this was found now, or the question has one. */
  readonly isWithoutImages: boolean;
}

/** The options of `streamAnswer`. */
interface StreamOptions {
  readonly source: ModelSource;
  readonly model: Model;
  readonly turns: readonly Turn[];
  /** The number of newest turns that are never left out. */
  readonly needed: number;
  readonly signal: AbortSignal;
  /** Called before the first part. */
  readonly onBegin: (adaptation: Adaptation) => void;
}

/** The system prompt when the settings have none. */
const PROMPT =
  'You are a helpful assistant in a messenger. Answer in the language of the question. Use Markdown where it helps.';

/** How often a conversation that is too long is halved. */
const HALVINGS = 4;
const LEAST_BUDGET = 256;

/**
 * Streams the endpoint's answer to the conversation. Halves a conversation that is too long, and leaves pictures out for a
 * model that refuses them; both are remembered for the model.
 * @throws {EndpointError}
 */
export async function* streamAnswer(options: StreamOptions): AsyncGenerator<AnswerPart> {
  const { source, model, turns, needed, signal, onBegin } = options;
  const limits = source.limits(model);
  const hasImages = turns.some(({ parts }) => parts.some(isImage));
  let acceptsImages = limits.acceptsImages || !hasImages;
  let { budget } = limits;
  for (let halvings = 0; ;) {
    const fitted = fitWindow(acceptsImages ? turns : turns.map(withoutImages), {
      prompt: source.settings.prompt ?? PROMPT,
      budget,
      needed,
    });
    let hasBegun = false;
    try {
      for await (const part of source.endpoint.chat(fitted.messages, { signal })) {
        if (!hasBegun) {
          const isNews = limits.acceptsImages || turns.at(-1)?.parts.some(isImage) === true;
          onBegin({ ...fitted, isWithoutImages: !acceptsImages && isNews });
          limits.acceptsImages = acceptsImages && limits.acceptsImages;
          limits.budget = budget;
          hasBegun = true;
        }
        yield part;
      }
      return;
    } catch (error) {
      if (hasBegun || !(error instanceof EndpointError) || signal.aborted) throw error;
      if (error.kind === 'contextTooLong' && halvings++ < HALVINGS) budget = half(budget, fitted);
      else if (acceptsImages && hasImages && REFUSES_IMAGES.has(error.kind)) acceptsImages = false;
      else throw error;
    }
  }
}

/** How endpoints answer to a picture that their model does not accept. */
const REFUSES_IMAGES: ReadonlySet<EndpointError['kind']> = new Set(['unsupported', 'rejected']);

const isImage = ({ kind }: TurnPart) => kind === 'image';

const withoutImages = ({ role, parts }: Turn): Turn => ({
  role,
  parts: parts.map((part) =>
    part.kind === 'image'
      ? { kind: 'text', text: `[The picture “${part.name}”, which you cannot see.]` }
      : part,
  ),
});

/** Returns the budget that halves what was sent. */
const half = (budget: number, { tokens }: FittedContext) =>
  Math.max(LEAST_BUDGET, Math.floor(Math.min(budget, tokens) / 2));
