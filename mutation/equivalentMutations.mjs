/**
 * The mutations of the replayed code that change no result of any replay, in groups with one reason. `verify` cannot find them. They do not
 * count in the score, and may be at most 0.03 of all mutations.
 */

/** Mutations of one file: the code, without line breaks, and what replaces it. */
const of = (file, ...mutations) =>
  mutations.map(([code, replacement]) => ({ file: `src/shared/${file}`, code, replacement }));

export const EQUIVALENT_MUTATIONS = [
  {
    reason:
      'A part that stays the same keeps its reference, so that windows do not render it again: a copy has the same content.',
    mutations: [
      ...of(
        'conversation/applyUpdate.ts',
        ['person === conversation.person', 'false'],
        ['message.context === context', 'false'],
        ['item.text === text', 'false'],
        ['content === before', 'false'],
        ['messages === conversation.messages', 'false'],
      ),
      ...of('conversation/vector.ts', ['changed === lastItem', 'false']),
    ],
  },
];
