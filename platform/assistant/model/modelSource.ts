import type { Clock } from '#shared/time/clock.ts';
import type { Endpoint, Model } from '../../endpoint/endpoint.ts';
import type { EndpointSettings } from '../../endpoint/endpointSettings.ts';
import { contextBudget } from '../context/fitWindow.ts';

/** What was learned about a model from its endpoint's answers. */
export interface ModelLimits {
  /** The tokens that the conversation may use. */
  budget: number;
  acceptsImages: boolean;
  /** Whether the last answer began with reasoning without an opening tag. */
  reasonsFirst: boolean;
}

/** The endpoint of some settings, and what is known about its models. */
export interface ModelSource {
  readonly settings: EndpointSettings;
  readonly endpoint: Endpoint;
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
    limits({ id, contextTokens }) {
      const unknown = { budget: contextBudget(contextTokens), acceptsImages: true, reasonsFirst: false };
      const limits = known.get(id) ?? unknown;
      known.set(id, limits);
      return limits;
    },
  };
}
