interface Props {
  /** The message: what failed, and what to do. */
  readonly text: string;
}

/** Shows a message in place of a whole page that cannot be shown. */
export const PageFailure = ({ text }: Props) => (
  <div className="page-failure" role="alert">
    <p>{text}</p>
    <button type="button" className="more" onClick={() => location.reload()}>
      Reload
    </button>
  </div>
);
