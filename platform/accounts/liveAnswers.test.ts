import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import { type AnswerPart, EndpointError } from '../endpoint/endpoint.ts';
import { SETTINGS, answeringConversation } from './testing/answeringConversation.ts';
import { foldingSocket } from './testing/answeringConversation.ts';
import { manualEndpoint, settled } from './testing/answeringConversation.ts';

const TOKENS = [
  'Hello ',
  'world. ',
  '\n\n',
  '```ts\n',
  'const a = 1;\n',
  '```\n',
  '| a | b |\n',
  '|---|---|\n',
  '- item\n',
];
const part = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TOKENS).map((text): AnswerPart => ({ kind: 'text', text })) },
  fc.constant<AnswerPart>({ kind: 'reasoning', text: 'Hm. ' }),
  fc.constant<AnswerPart>({ kind: 'usage', usage: { promptTokens: 3, answerTokens: 5 } }),
  fc.constantFrom('stop', 'length').map((reason): AnswerPart => ({ kind: 'end', reason })),
);
const CONTROLS = ['stop', 'again', 'continue', 'edit', 'new topic'];
const WORDS = [...CONTROLS, 'usage', 'Hello?', 'A question'];
const act = fc.oneof(
  { weight: 8, arbitrary: part.map((send) => ({ send })) },
  { weight: 3, arbitrary: fc.constantFrom(...WORDS).map((say) => ({ say })) },
  { weight: 3, arbitrary: fc.nat({ max: 400 }).map((advance) => ({ advance })) },
  { weight: 1, arbitrary: fc.constant('fail' as const) },
  { weight: 1, arbitrary: fc.constant('join' as const) },
  { weight: 1, arbitrary: fc.constant('voice' as const) },
  { weight: 2, arbitrary: fc.constant('file' as const) },
  { weight: 1, arbitrary: fc.constant('settings' as const) },
);

const FAILURE = new EndpointError('cut', 'The connection was cut. Send “continue” to go on.');

const FILE: Outgoing = { category: 'file', text: 'a.txt', blob: 'QQ==' };

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
type Tested = ReturnType<typeof answeringConversation>;

function run(what: Act, { live, clock, holder }: Tested, endpoint: ReturnType<typeof manualEndpoint>): void {
  const chat = endpoint.chats.at(-1);
  if (what === 'fail') chat?.fail(FAILURE);
  else if (what === 'voice') live.receive({ category: 'audio', text: null, blob: 'AAAA' });
  else if (what === 'file') live.receive(FILE);
  else if (what === 'settings') holder.set(holder.get() === null ? SETTINGS : null);
  else if (what === 'join') return;
  else if ('send' in what) chat?.send(what.send);
  else if ('say' in what) live.receive({ category: 'text', text: what.say, blob: null });
  else clock.advance(what.advance);
}

const TAIL = { category: 'text', html: null, blob: null } as const;

test('no token overwrites the person’s words, and all sockets show what is stored, in any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const endpoint = manualEndpoint();
      const tested = answeringConversation(endpoint);
      const { live, ada, clock } = tested;
      const sockets = [ada];
      const said: object[] = [];
      const check = () => {
        const { messages } = live.stored();
        for (const socket of sockets) expect(socket.conversation()).toEqual(live.stored());
        const own = messages.filter(({ modifier }) => modifier === 'client');
        // A word of control is a message or not, as the state of the answer says.
        const questions = own.filter(({ content }) => !CONTROLS.includes(content?.[0]?.text ?? ''));
        // The newest one may wait for a tick of the clients.
        const shown = said.slice(0, Math.max(questions.length, said.length - 1));
        expect(questions).toMatchObject(shown.map((item) => ({ context: 'Ada Lovelace', content: [item] })));
        expect(own.every(({ content }) => content?.length === 1)).toBe(true);
        expect(messages.slice(0, -1).filter(({ context }) => context?.endsWith('…'))).toEqual([]);
      };
      for (const what of acts) {
        if (typeof what === 'object' && 'say' in what && !CONTROLS.includes(what.say))
          said.push({ ...TAIL, text: what.say });
        if (what === 'voice') said.push({ category: 'audio', blob: 'AAAA' });
        if (what === 'file') said.push(FILE);
        if (what === 'join') {
          const socket = foldingSocket();
          live.addSocket(socket.socket);
          sockets.push(socket);
        }
        run(what, tested, endpoint);
        check();
        await settled();
        check();
      }
      live.finishAnswer();
      await settled();
      check();
      const own = live.stored().messages.filter(({ modifier }) => modifier === 'client');
      expect(own.length).toBeGreaterThanOrEqual(said.length);
      expect(live.stored().messages.at(-1)?.context ?? '').not.toMatch(/…$/);
      expect(clock.nextDue()).toBeUndefined();
    }),
    { seed: 17, numRuns: 60 },
  );
});
