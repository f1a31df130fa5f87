import type { AssistantSummary } from '#shared/ipc/assistant.ts';
import { useWindowActs } from '../base/WindowActs.ts';

/** Shows which assistant answers, with a button that opens its settings. */
export function AssistantSetting({ url, model }: AssistantSummary) {
  const acts = useWindowActs();
  return (
    <section className="setting">
      <h3>Assistant</h3>
      {url === null ? (
        <p>
          The demonstration answers: it repeats what you write. To converse, connect a language model: a
          server on this computer or a hosted one.
        </p>
      ) : (
        <p>
          {model ?? 'The first model'} at <code>{url}</code>
        </p>
      )}
      <button type="button" className="secondary" onClick={() => acts.request('openAssistant')}>
        Choose the assistant…
      </button>
    </section>
  );
}
