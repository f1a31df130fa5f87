/** How the steps of two sessions are aligned: by record, when both are the same capture, or by content. */
export type AlignBy = 'record' | 'content';

/** The keys of steps; index 0 is not used. */
export interface StepKeys {
  /** Equal for the same record, or for records with the same content. */
  readonly exact: Uint32Array;
  /** Equal for steps of the same kind. */
  readonly kinds: Uint32Array;
}
