interface Props {
  /** The message: what failed, and what to do. */
  readonly words: string;
}

/** Shown in place of a whole page that cannot be shown. */
export const PageFailure = ({ words }: Props) => (
  <div className="page-failure" role="alert">
    <p>{words}</p>
    <button type="button" className="more" onClick={() => location.reload()}>
      Reload
    </button>
  </div>
);
