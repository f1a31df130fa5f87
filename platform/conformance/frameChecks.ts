import { type ContentItem, type Message, DISCRIMINATORS } from '#shared/protocol/update.ts';
import { type ObservedFrame, type ObservedSocket, describeClose } from './observedSocket.ts';
import { type Check, OK, type Outcome, type Subject, failed, notTested } from './subject.ts';

/** The beginning of a PNG in base64. */
const PNG = 'iVBORw0KGgo';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const framesOf = ({ sockets }: Subject): readonly ObservedFrame[] => sockets.flatMap(({ frames }) => frames);

/** Returns every message as it was received: those of snapshots, and those that were appended. */
export const messagesOf = (subject: Subject): readonly Message[] =>
  framesOf(subject).flatMap(({ update }) => {
    if (update.kind === 'snapshot') return update.frame.messages ?? [];
    return update.kind === 'message' ? [update.frame] : [];
  });

/** Returns every content item as it was received. */
export const itemsOf = (subject: Subject): readonly ContentItem[] => [
  ...messagesOf(subject).flatMap(({ content = [] }) => content),
  ...framesOf(subject).flatMap(({ update }) => (update.kind === 'content' ? [update.frame] : [])),
];

const check = (id: string, row: string, about: Pick<Check, 'checks' | 'run'>): Check => ({
  id,
  row,
  ...about,
});

/** The checks of everything that was received during the test. They run last. */
export const frameChecks: readonly Check[] = [
  check('frames', 'contract §5 types', {
    checks: 'every frame is an update that the client reads',
    run: expectReadable,
  }),
  check('targets', 'contract §5 ignored', {
    checks: 'every content item, label, text and notification has a message that it is about',
    run(subject) {
      const ignored = framesOf(subject).find(({ isIgnored }) => isIgnored);
      return ignored === undefined
        ? OK
        : failed(`an ignored update (${ignored.update.kind})`, 'a message before it');
    },
  }),
  check('ids', 'spec §2.5 id', {
    checks: 'every message has an id of its own',
    run: ({ sockets }) => expectIds(sockets),
  }),
  check('modifiers', 'spec §2.5 modifier', {
    checks: 'the sender of a message is `ai`, `client` or `admin`',
    run: (subject) =>
      messagesOf(subject).every(({ modifier = '' }) => ['ai', 'client', 'admin'].includes(modifier))
        ? OK
        : failed('another `modifier`, or none', '`ai`, `client` or `admin`'),
  }),
  check('avatars', 'spec §2.5 avatar', {
    checks: 'an avatar is a PNG in base64, or empty',
    run: (subject) =>
      messagesOf(subject).every(
        ({ avatar = '' }) => avatar === '' || (avatar.startsWith(PNG) && BASE64.test(avatar)),
      )
        ? OK
        : failed('another `avatar`', 'a PNG in base64'),
  }),
  check('items', 'spec §2.4', {
    checks: 'a content item has a category, and the field that its category shows',
    run(subject) {
      const wrong = itemsOf(subject).find((item) => !isComplete(item));
      return wrong === undefined
        ? OK
        : failed(describeItem(wrong), '`text`, `html`, or `text` and `blob` in base64');
    },
  }),
  check('closes', 'spec §3.2 row 2', {
    checks: 'the platform closes no socket during the test',
    async run({ first, second }) {
      // A close that is on its way arrives before the pong.
      await Promise.all([first.ping(), second.ping()]);
      const closed = [first, second].find((socket) => socket.closed() !== null && !socket.hasEnded());
      return closed === undefined ? OK : failed(describeClose(closed.closed()), 'sockets that stay open');
    },
  }),
];

function expectReadable(subject: Subject): Outcome {
  for (const { update } of framesOf(subject)) {
    if (update.kind !== 'rejected') continue;
    const where = update.where === undefined ? '' : ` at \`${update.where}\``;
    return failed(
      `a rejected frame: ${update.reason}${where}`,
      'a text frame with a JSON object of the right types',
    );
  }
  return OK;
}

function expectIds(sockets: readonly ObservedSocket[]): Outcome {
  for (const { frames } of sockets) {
    const ids = frames.flatMap(({ update }) => {
      if (update.kind === 'message') return [update.frame.id ?? ''];
      return update.kind === 'snapshot' ? (update.frame.messages ?? []).map(({ id = '' }) => id) : [];
    });
    if (ids.includes('')) return failed('a message without an id', 'an id');
    if (new Set(ids).size < ids.length)
      return failed('two messages with one id', 'an id of its own for each message');
  }
  return OK;
}

/** Returns whether an item has what its category shows. An empty text is allowed: it may grow. */
function isComplete({ category = '', text, html, blob }: ContentItem): boolean {
  if (category === '') return false;
  if (category === 'text') return typeof text === 'string';
  if (category === 'html') return typeof html === 'string';
  if (category === 'audio') return typeof text === 'string' || isBase64(blob);
  return isBase64(blob);
}

const isBase64 = (blob: string | null | undefined) => typeof blob === 'string' && BASE64.test(blob);

const describeItem = ({ category = '' }: ContentItem) =>
  category === ''
    ? 'an item without a category'
    : `an item of the category \`${category.slice(0, 20)}\` without its field`;

/** One row for each kind of update that nothing in the specification triggers: whether the test has seen one. */
export const kindChecks: readonly Check[] = [...DISCRIMINATORS, ['notification', 'none of these'] as const]
  .filter(([kind]) => kind !== 'snapshot' && kind !== 'message')
  .map(([kind, row]) =>
    check(`kind-${kind}`, `spec §6.1 ${row}`, {
      checks: `the client applies an update of the kind ${kind}`,
      run: (subject) =>
        framesOf(subject).some(({ update, isIgnored }) => update.kind === kind && !isIgnored)
          ? OK
          : notTested('the platform sent none; `--say` sends a text that causes one'),
    }),
  );
