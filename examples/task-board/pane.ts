import type { Pane } from '@parley/replay';
import type { BoardState } from './app/board.ts';
import { boardView } from './app/boardView.ts';

/** Styles of the board in the inspector; the colours follow those of the page. */
export const styles = `
  article { display: flex; gap: 8px; align-items: start; font: 13px/1.4 system-ui, sans-serif; }
  p { margin: 0 0 8px; color: light-dark(#4b5160, #b5bac4); font: 13px/1.4 system-ui, sans-serif; }
  section { flex: 1; min-width: 0; padding: 8px; border-radius: 8px; background: light-dark(#eceef3, #25282f); }
  h2 { margin: 0 0 8px; font-size: inherit; }
  ul { margin: 0; padding: 0; list-style: none; display: grid; gap: 6px; }
  li { padding: 6px 8px; border-radius: 6px; background: light-dark(#fff, #363a44); overflow-wrap: anywhere; }
  li { box-shadow: 0 1px 2px #0003; }
`;

/** Draws the board as its page shows it: the people, and a column for each list of cards. */
export const pane: Pane<BoardState> = (element, state) => {
  const { status, columns } = boardView(state);
  const drawn = columns.map(({ heading, cards }) =>
    create('section', create('h2', heading), create('ul', ...cards.map(({ label }) => create('li', label)))),
  );
  element.replaceChildren(create('p', status), create('article', ...drawn));
};

function create(tag: string, ...content: readonly (Node | string)[]): HTMLElement {
  const created = document.createElement(tag);
  created.append(...content);
  return created;
}
