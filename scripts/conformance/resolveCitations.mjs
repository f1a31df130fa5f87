import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCitations } from './readCitations.mjs';
import { readSpecification } from './readSpecification.mjs';
import { resolveCitation } from './resolveCitation.mjs';

const SPECIFICATION = 'docs/specification.md';

/**
 * Reads all citations of the project and resolves each one to the places of the specification that it names.
 *
 * @param {string} root the project's folder
 * @returns {{ sections: object[], citations: { path: string, test: string | undefined, places: object[] }[], count: number, dangling: string[] }}
 *   `sections`: the specification's. `test`: the title of the test that cites. `count`: the number of citations outside of the
 *   specification. `dangling`: one line for each citation that the specification does not have.
 */
export function resolveCitations(root) {
  const sections = readSpecification(readFileSync(join(root, SPECIFICATION), 'utf8'));
  const citations = readCitations(root).map(({ path, line, test, section, rows }) => {
    const { places, unknown } = resolveCitation(sections, { section, rows });
    return { path, line, test, places, unknown };
  });
  const dangling = citations.flatMap(({ path, line, unknown }) =>
    unknown.map((name) => `${path}:${line}: the specification has no ${name}`),
  );
  return {
    sections,
    citations: citations.map(({ path, test, places }) => ({ path, test, places })),
    count: citations.filter(({ path, test }) => path !== SPECIFICATION && test === undefined).length,
    dangling: [...new Set(dangling)],
  };
}
