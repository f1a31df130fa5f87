import { ItemSource } from '../failure/ItemSource.tsx';

interface Props {
  readonly html: string;
  readonly onShowAll: () => void;
}

/** Shows a message in place of markup over a limit. */
export const TooLarge = ({ html, onShowAll }: Props) => (
  <>
    <p className="item-text">
      This page is too large to show. You can look at its source, or show all of it, part by part.
    </p>
    <div className="item-actions">
      <button type="button" className="more" onClick={onShowAll}>
        Show all
      </button>
      <ItemSource sourceOf={() => html} />
    </div>
  </>
);
