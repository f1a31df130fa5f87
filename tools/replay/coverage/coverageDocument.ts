import type { CoverageEnd } from './collectCoverage.ts';
import type { SourceBranch } from './loadBranches.ts';

/** The number of branches, and of those that are reached. */
interface Share {
  readonly reached: number;
  readonly branches: number;
}

/** The coverage of captures, as `--json` prints it. */
export interface CoverageDocument extends Share {
  readonly interrupted: boolean;
  /** The number of captures that were replayed. */
  readonly captures: number;
  readonly problems: readonly string[];
  /** By file. */
  readonly files: readonly (Share & { readonly file: string })[];
  /** The branches that no capture reaches, by file and place. */
  readonly unreached: readonly SourceBranch[];
}

interface Covered extends Pick<CoverageEnd, 'problems' | 'interruptedBy'> {
  readonly all: readonly SourceBranch[];
  /** The numbers of the branches that a capture reaches. */
  readonly reached: ReadonlySet<number>;
  readonly captures: number;
}

/** Creates the document of a coverage. */
export function coverageDocument({
  all,
  reached,
  captures,
  problems,
  interruptedBy,
}: Covered): CoverageDocument {
  const files = new Map<string, { readonly file: string; reached: number; branches: number }>();
  all.forEach(({ file }, number) => {
    const share = files.get(file) ?? { file, reached: 0, branches: 0 };
    share.branches++;
    if (reached.has(number)) share.reached++;
    files.set(file, share);
  });
  return {
    interrupted: interruptedBy !== undefined,
    captures,
    problems,
    reached: reached.size,
    branches: all.length,
    files: [...files.values()].sort((a, b) => byText(a.file, b.file)),
    unreached: all
      .filter((_, number) => !reached.has(number))
      .map(({ file, line, column, kind, text }) => ({ file, line, column, kind, text }))
      .sort((a, b) => byText(a.file, b.file) || a.line - b.line || a.column - b.column),
  };
}

const byText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
