import { type CaptureResult, countResults } from './captureResult.ts';
import { differenceLines } from './pretty.ts';

/**
 * Formats results as JUnit XML with a test case for each capture: `differs` and `disagrees` are failures, `unusable` is an error.
 */
export function junit(results: readonly CaptureResult[], seconds: number): string {
  const { captures, differs, disagrees, unusable } = countResults(results);
  const counts = `tests="${captures}" failures="${differs + disagrees}" errors="${unusable}" time="${seconds.toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="parley-replay" ${counts}>`,
    ...results.map((result) => `    ${testCase(result)}`),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(result: CaptureResult): string {
  const seconds = (result.ms / 1000).toFixed(4);
  const opening = `<testcase classname="parley-replay" name="${escaped(result.capture)}" time="${seconds}"`;
  const inside = outcomeElement(result);
  return inside === '' ? `${opening}/>` : `${opening}>${inside}</testcase>`;
}

function outcomeElement(result: CaptureResult): string {
  if (result.outcome === 'unusable') return `<error type="unusable" message="${escaped(result.problem)}"/>`;
  if (result.outcome !== 'differs' && result.outcome !== 'disagrees') return '';
  const lines = differenceLines(result.difference, (_, text) => text);
  const text = escaped(lines.join('\n'));
  return `<failure type="${result.outcome}" message="${escaped(lines[0]?.trim() ?? '')}">${text}</failure>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML. A character that XML 1.0 cannot contain becomes the replacement character. */
const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (one) => ENTITIES[one] ?? one);
