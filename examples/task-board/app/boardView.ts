import type { BoardState } from './board.ts';

/** What the page shows. */
export interface BoardView {
  readonly title: string;
  readonly status: string;
  readonly columns: readonly {
    readonly id: string;
    readonly heading: string;
    readonly cards: readonly { readonly id: string; readonly label: string }[];
  }[];
}

/** The longest title of a card that is shown whole. */
const LONGEST = 60;

/** Returns what the page shows of a state. */
export function boardView({ columns, people, isConnected }: BoardState): BoardView {
  const open = columns.slice(0, -1).reduce((sum, { cards }) => sum + cards.length, 0);
  return {
    title: open === 0 ? 'Task board' : `(${open}) Task board`,
    status: isConnected ? `Here: ${people.join(', ')}` : 'Not connected',
    columns: columns.map(({ id, title, cards }) => ({
      id,
      heading: `${title} (${cards.length})`,
      cards: cards.map((card) => ({ id: card.id, label: labelOf(card.title) })),
    })),
  };
}

const labelOf = (title: string): string =>
  title.length <= LONGEST ? title : `${title.slice(0, LONGEST - 1)}…`;
