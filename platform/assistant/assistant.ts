import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import type { EndpointSettings } from '../endpoint/endpointSettings.ts';
import type { ControlWord } from './controlWords.ts';

/** What an assistant does with the connections instead of sending an update. */
export type ConnectionEffect = 'drop' | 'close' | 'signOut';

/** Returns the identifier of a new message. */
export type NewId = () => string;

/** The name of the assistant: the label of its messages. */
export const ASSISTANT = 'Parley';

/** What one answer can do. After the answer has been ended, every call is ignored. */
export interface AnswerPlace {
  /** Stores an update (spec §6.1) and sends it to every client of the account. */
  send(frame: object): void;
  /** Replaces the newest message, which no update can do: clients get the conversation again. */
  replace(message: Message): void;
  affect(effect: ConnectionEffect): void;
  /** Returns the conversation's messages, oldest first. The question is the last one when `answer` is called. */
  messages(): readonly Message[];
}

/** Why an answer is ended from outside: the person has sent something else, or the platform stops. */
export type EndCause = 'question' | 'shutdown';

/** The assistant of one conversation. It gives one answer at a time. */
export interface Assistant {
  /** The words that the assistant understands and that the client may offer as buttons. They can change with the settings. */
  readonly words: readonly string[];
  /** Returns what a text of the person does now instead of being a message of the conversation; `null`: it is a message. */
  readWord(text: string, messages: readonly Message[]): ControlWord | null;
  /** Does what a word says. The answer before was ended. */
  obey(word: ControlWord, place: AnswerPlace): void;
  /** Starts the answer to a message that is in the conversation already. The answer before was ended or dropped. */
  answer(question: Outgoing, place: AnswerPlace): void;
  /** Ends the running answer now and sends its last updates. Does nothing when there is none. */
  end(cause: EndCause): void;
  /** Drops the running answer without another update, because the account is deleted or revoked. */
  drop(): void;
}

/** Where a platform gets its assistants. */
export interface Assistants {
  /** Returns the first message for a person who has just registered. */
  greeting(person: string): Message;
  /** Creates the assistant of one conversation. */
  create(): Assistant;
}

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
