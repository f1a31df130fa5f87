import type { Cancel, Clock } from '#shared/time/clock.ts';
import type { AnswerPlace, Assistant, Assistants, NewId } from '../assistant.ts';
import { type Step, greeting, replyTo } from './demonstration.ts';

/** The options of `createDemonstrations`. */
interface DemonstrationOptions {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Creates the assistants that answer by scripts, on this machine alone: they show what a client can receive. */
export const createDemonstrations = ({ clock, newId }: DemonstrationOptions): Assistants => ({
  greeting: (person) => greeting(person, newId),
  create: () => createDemonstration({ clock, newId }),
});

function createDemonstration({ clock, newId }: DemonstrationOptions): Assistant {
  let steps: Step[] = [];
  let cancel: Cancel | undefined;
  let running: AnswerPlace | undefined;

  const takeNext = (place: AnswerPlace) => {
    const [step] = steps;
    if (step === undefined) return;
    cancel = clock.after(step.afterMs, () => {
      // Also takes the following steps without a pause: thousands of timers would only delay them.
      const wait = steps.findIndex(({ afterMs }, index) => index > 0 && afterMs > 0);
      for (const due of steps.splice(0, wait === -1 ? steps.length : wait)) take(due, place);
      takeNext(place);
    });
  };
  return {
    words: [],
    answer(question, place) {
      running = place;
      steps = [...replyTo(question, newId)];
      takeNext(place);
    },
    /** Sends the rest of the script at once. */
    end() {
      cancel?.();
      for (const step of steps.splice(0)) if (running !== undefined) take(step, running);
    },
    drop() {
      cancel?.();
      steps = [];
    },
  };
}

const take = (step: Step, place: AnswerPlace): void =>
  'frame' in step ? place.send(step.frame) : place.affect(step.effect);
