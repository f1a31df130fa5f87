/** Generates each capture: its file name in the corpus, and its text. */
export function generateCaptures(): Iterable<readonly [file: string, text: string]>;
