import type { Clock } from '#shared/clock.ts';
import {
  type AnswerPart,
  type Endpoint,
  EndpointError,
  type EndpointErrorKind,
  type Model,
} from '../endpoint/endpoint.ts';
import type { EndpointSettings } from '../endpoint/endpointSettings.ts';
import { type FittedContext, contextBudget, fitWindow } from './fitWindow.ts';
import type { Turn, TurnPart } from './readQuestion.ts';
import type { RetryLater } from './retryLater.ts';

/** What was changed so that the endpoint accepts the conversation. */
export interface Adaptation extends Pick<FittedContext, 'isCut' | 'isClipped' | 'shortened'> {
  /** Why the model does not get the pictures, if this was found now or the question has one; `null`: no reason to say anything. */
  readonly withoutImages: NoImages | null;
}

/** Why pictures are left out: the model accepts none, or these are too large for its endpoint. */
type NoImages = 'refused' | 'tooLarge';

/** The options of `streamAnswer`. */
interface StreamOptions {
  readonly source: ModelSource;
  readonly model: Model;
  readonly turns: readonly Turn[];
  /** The number of newest turns that are never left out. */
  readonly needed: number;
  readonly signal: AbortSignal;
  /** Waits after a failure that passes. */
  readonly retry: RetryLater;
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
  const { source, model, turns, needed, signal, retry, onBegin } = options;
  const limits = source.limits(model);
  const hasImages = turns.some(({ parts }) => parts.some(isImage));
  let without: NoImages | null = limits.acceptsImages || !hasImages ? null : 'refused';
  let { budget } = limits;
  for (let halvings = 0; ;) {
    const fitted = fitWindow(without === null ? turns : turns.map(withoutImages), {
      prompt: source.settings.prompt ?? PROMPT,
      budget,
      needed,
    });
    let hasBegun = false;
    try {
      for await (const part of source.endpoint.chat(fitted.messages, { signal })) {
        if (!hasBegun) {
          const asksAboutImage = turns.at(-1)?.parts.some(isImage) === true;
          const isNews = asksAboutImage || (without === 'refused' && limits.acceptsImages);
          onBegin({ ...fitted, withoutImages: isNews ? without : null });
          limits.acceptsImages &&= without !== 'refused';
          limits.budget = budget;
          hasBegun = true;
        }
        yield part;
      }
      return;
    } catch (error) {
      if (hasBegun || !(error instanceof EndpointError) || signal.aborted) throw error;
      if (await retry(error)) continue;
      if (error.kind === 'contextTooLong' && halvings++ < HALVINGS) budget = half(budget, fitted);
      else without = withoutAfter(error, hasImages && without === null);
    }
  }
}

/** How endpoints answer to a picture that their model does not accept, or that is too large for them. */
const REFUSALS: Readonly<Partial<Record<EndpointErrorKind, NoImages>>> = {
  unsupported: 'refused',
  rejected: 'refused',
  tooLarge: 'tooLarge',
};

/**
 * Returns why the next request has no pictures.
 * @throws the error that pictures have not caused.
 */
function withoutAfter(error: EndpointError, hadImages: boolean): NoImages {
  const reason = hadImages ? REFUSALS[error.kind] : undefined;
  if (reason === undefined) throw error;
  return reason;
}

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

/** What was learned about a model from its endpoint's answers. */
interface ModelLimits {
  /** The tokens that the conversation may use. */
  budget: number;
  acceptsImages: boolean;
}

/** The endpoint of some settings, and what is known about its models. */
export interface ModelSource {
  readonly settings: EndpointSettings;
  readonly endpoint: Endpoint;
  /** The name of the model, as far as it is known. */
  name: string | null;
  limits(model: Model): ModelLimits;
}

/** Creates the client of an endpoint. */
export type OpenEndpoint = (settings: EndpointSettings, options: { readonly clock: Clock }) => Endpoint;

/** Returns a function that creates one source for each settings object. */
export function createModelSources(
  openEndpoint: OpenEndpoint,
  clock: Clock,
): (settings: EndpointSettings) => ModelSource {
  const sources = new WeakMap<EndpointSettings, ModelSource>();
  return (settings) => {
    const source = sources.get(settings) ?? createModelSource(settings, openEndpoint(settings, { clock }));
    sources.set(settings, source);
    return source;
  };
}

function createModelSource(settings: EndpointSettings, endpoint: Endpoint): ModelSource {
  const known = new Map<string, ModelLimits>();
  return {
    settings,
    endpoint,
    name: settings.model,
    limits({ id, contextTokens }) {
      const unknown = { budget: contextBudget(contextTokens), acceptsImages: true };
      const limits = known.get(id) ?? unknown;
      known.set(id, limits);
      return limits;
    },
  };
}
