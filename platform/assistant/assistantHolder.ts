import type { EndpointSettings } from '../endpoint/endpointSettings.ts';

/** Holds the settings of the assistant while the platform runs. Each answer reads them when it begins. */
export interface AssistantHolder {
  /** Returns the endpoint from which answers come; `null`: the demonstration answers. */
  get(): EndpointSettings | null;
  /** Replaces the settings. An answer that has begun is not changed. */
  set(settings: EndpointSettings | null): void;
}

/** Creates the holder with the settings of the start. */
export function createAssistantHolder(settings: EndpointSettings | null = null): AssistantHolder {
  let current = settings;
  return {
    get: () => current,
    set(next) {
      current = next;
    },
  };
}
