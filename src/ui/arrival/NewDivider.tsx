/** Shows where the messages begin that arrived after the person last looked. */
export const NewDivider = () => (
  // An `hr` contains no text.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div className="divider divider-new" role="separator" aria-label="New messages">
    New messages
  </div>
);
