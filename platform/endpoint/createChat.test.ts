import { expect, test } from 'vitest';
import { withoutSystem } from './createChat.ts';
import type { ChatMessage } from './endpoint.ts';
import { endpointForTest, partsOf } from './testing/endpointForTest.ts';
import { failure } from './testing/stubReply.ts';

const signal = new AbortController().signal;
const SYSTEM: ChatMessage = { role: 'system', content: 'Be brief.' };
const HELLO: ChatMessage = { role: 'user', content: 'Hello' };

test.each([
  ['Gemma on vLLM', failure(400, 'System role not supported')],
  ['Mistral on vLLM', failure(400, 'Conversation roles must alternate user/assistant/user/assistant/...')],
  [
    'a template on llama.cpp',
    failure(500, `${'While executing '.repeat(40)}: Only user and assistant roles are supported!`),
  ],
  [
    'a stream of LM Studio',
    { steps: [{ raw: 'event: error\ndata: {"error":"System role not supported"}\n\n' }] },
  ],
])(
  'sends the system prompt with the first question to a model without one, and remembers that: %s',
  async (_, reply) => {
    const { endpoint, stub } = await endpointForTest({ model: 'm' });
    stub.next(reply);
    const parts = await partsOf(endpoint.chat([SYSTEM, HELLO], { signal }));
    expect(parts[0]).toEqual({ kind: 'text', text: 'Hello,' });
    await partsOf(endpoint.chat([SYSTEM, HELLO], { signal }));
    const joined = { messages: [{ role: 'user', content: 'Be brief.\n\nHello' }] };
    const asked = stub.requests.map(({ json }) => json);
    expect(asked).toMatchObject([{ messages: [SYSTEM, HELLO] }, joined, joined]);
  },
);

test('reports a model that refuses both', async () => {
  const { endpoint, stub } = await endpointForTest({ model: 'm' });
  stub.always(failure(400, 'Conversation roles must alternate'));
  await expect(partsOf(endpoint.chat([SYSTEM, HELLO], { signal }))).rejects.toMatchObject({
    kind: 'rejected',
  });
  // Without the system prompt, then without the usage.
  expect(stub.requests).toHaveLength(3);
});

test('keeps a picture, an answer that comes first, and messages without a system prompt', () => {
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
  expect(withoutSystem([SYSTEM, { role: 'user', content: [picture] }])).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Be brief.' }, picture] },
  ]);
  const answer: ChatMessage = { role: 'assistant', content: 'Hm.' };
  expect(withoutSystem([SYSTEM, answer])).toEqual([{ role: 'user', content: 'Be brief.' }, answer]);
  expect(withoutSystem([HELLO])).toEqual([HELLO]);
});
