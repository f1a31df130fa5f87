const PART = /\.?[A-Za-z_$][\w$]*|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g;

/** A place above another one in the state. */
interface Ancestor {
  readonly path: string;
  /** The index of the next place, when this one is a list. */
  readonly index: number | undefined;
}

/** Returns the places above a path of the state, from the top: for `messages[3].id`, `messages` with index 3 and `messages[3]`. */
export function ancestorPaths(path: string): Ancestor[] {
  const parts = path.match(PART) ?? [];
  return parts.slice(0, -1).map((_, i) => {
    const [, index] = /^\[(\d+)\]$/.exec(parts[i + 1] ?? '') ?? [];
    return { path: parts.slice(0, i + 1).join(''), index: index === undefined ? undefined : Number(index) };
  });
}
