import { onTestFinished } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import type { EndpointSettings } from '../endpoint/endpointSettings.ts';
import {
  type EndpointStub,
  type StubOptions,
  startEndpointStub,
} from '../endpoint/testing/startEndpointStub.ts';
import type { StartOptions } from '../startPlatform.ts';
import type { Client } from './testPlatform.ts';
import { type TestPlatform, testPlatform } from './testPlatform.ts';

/** Starts a stub of an endpoint; stops it at the end of the test. */
export async function endpointStub(options: StubOptions = {}): Promise<EndpointStub> {
  const stub = await startEndpointStub(options);
  onTestFinished(() => stub.stop());
  return stub;
}

/** Returns the settings for an endpoint. */
export const settingsOf = (url: string, settings: Partial<EndpointSettings> = {}): EndpointSettings => ({
  url,
  model: null,
  key: null,
  prompt: null,
  ...settings,
});

/** A platform that an endpoint answers, and a client of Ada's account. */
interface AnsweringPlatform {
  readonly platform: TestPlatform;
  readonly account: string;
  readonly client: Client;
}

/** Starts a platform with the system's clock and this endpoint, and connects Ada. */
export async function answeringPlatform(
  assistant: EndpointSettings,
  options: { readonly clock?: StartOptions['clock']; readonly dataFile?: string } = {},
): Promise<AnsweringPlatform> {
  const { clock = systemClock(globalThis), dataFile } = options;
  const platform = await testPlatform(dataFile, { assistant, clock });
  const account = await platform.register();
  return { platform, account, client: await platform.connect(account) };
}

/** Sends a text; resolves when its answer has ended or a notice has replaced it, with what `shownAnswer` returns. */
export async function ask(client: Client, question: string): Promise<readonly unknown[]> {
  const before = client.conversation().messages.length;
  client.sendText(question);
  await client.until(({ conversation, newest }) => {
    const [count, answer] = [conversation().messages.length, newest()];
    return count > before + 1 && answer?.modifier !== 'client' && answer?.context?.endsWith('…') === false;
  });
  return shownAnswer(client);
}

/** Sends a word of control, which is no message; resolves when its answer has ended, with its label and texts. */
export async function askByWord(client: Client, word: 'again' | 'continue'): Promise<readonly unknown[]> {
  const known = new Set(client.conversation().messages.map(({ id }) => id));
  client.sendText(word);
  await client.until(({ newest }) => {
    const answer = newest();
    return answer?.modifier === 'ai' && !known.has(answer.id) && answer.context?.endsWith('…') === false;
  });
  const { context, content = [] } = client.newest() ?? {};
  return [context, ...content.map(({ text }) => text)];
}

/** Resolves with the text of the notice that is the newest message. */
export async function noticeOf(client: Client): Promise<unknown> {
  await client.until(({ newest }) => newest()?.modifier === 'admin');
  return client.newest()?.content?.[0]?.text;
}

/** Returns the label and the texts of the newest question's answer, or of the notice in place of it. */
export function shownAnswer(client: Client): readonly unknown[] {
  const { messages } = client.conversation();
  const after = messages.slice(messages.findLastIndex(({ modifier }) => modifier === 'client') + 1);
  const { context, content = [] } = after.find(({ modifier }) => modifier === 'ai') ?? after.at(-1) ?? {};
  return [context, ...content.map(({ text }) => text)];
}
