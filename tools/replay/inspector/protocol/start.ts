/**
 * Where the page opens: at a step, at the step of an update, counted as by `run --until`, or at the last step whose shown time is at or before
 * a time, milliseconds since the start of the recording.
 */
export type Start = { readonly step: number } | { readonly update: number } | { readonly t: number };
