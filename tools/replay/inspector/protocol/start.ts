/** Where the page opens: at a step, or at the step of an update, counted as by `run --until`. */
export type Start = { readonly step: number } | { readonly update: number };
