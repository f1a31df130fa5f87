interface Props {
  /** What failed and what a person should know, in a sentence or two. */
  readonly words: string;
}

/** Stands in the place of a whole page that cannot be shown. */
export const PageFailure = ({ words }: Props) => (
  <div className="page-failure" role="alert">
    <p>{words}</p>
    <button type="button" className="more" onClick={() => location.reload()}>
      Reload
    </button>
  </div>
);
