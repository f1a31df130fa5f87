import { join } from 'node:path';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { HOSTILE_MARKUP, STRANGE_MARKUP } from '#tests/builders/hostileMarkup.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { workerBrowser } from './harness/workerBrowser.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SEED = 20_261_122;
const RANDOM_PAGES = 2000;

declare global {
  function sanitizeBoth(html: string): readonly [inPieces: string | null, atOnce: string | null];
}

let script = '';

/** Builds the script of a page that sanitizes in both ways. */
beforeAll(async () => {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    build: {
      write: false,
      lib: {
        entry: join(ROOT, 'tests/browser/harness/sanitizers.ts'),
        formats: ['iife'],
        name: 'sanitizers',
      },
    },
  });
  const [first] = [built].flat();
  if (first === undefined || !('output' in first)) throw new Error('the page was not built');
  script = first.output[0].code;
}, 60_000);

const TAGS =
  'p div b i em strong a img ul ol li table thead tbody tr td th code pre br hr h1 blockquote span details summary';
const FORBIDDEN = 'script style svg math form input template iframe object select noscript x-y';
const ATTRIBUTES = [
  'href="https://example.org/a?b=c#d"',
  'href="mailto:ada@example.org"',
  'href="javascript:window.wasRun=true"',
  'href=" java\nscript:window.wasRun=true"',
  'href="/relative"',
  'src="data:image/png;base64,AAAA"',
  'src="https://evil.example/a.png"',
  'class="language-ts other"',
  'class="primary"',
  'style="position:fixed"',
  'onclick="window.wasRun=true"',
  'title="a title"',
  'title="</p><img src=x onerror=1>"',
  'colspan="2"',
  'colspan="1000"',
  'rowspan="65534"',
  'height="99999999"',
  'start="3"',
  'alt="words"',
  'dir="rtl"',
  'lang="de"',
  'id="root"',
  'open',
  'xmlns="http://www.w3.org/2000/svg"',
];
const TEXTS = [
  'words',
  ' ',
  '&amp;',
  '&lt;b&gt;',
  '\u202e',
  '{{x}}',
  '${y}',
  '<!-- a comment -->',
  ']]>',
  '\n',
  '   ',
  '&nbsp;',
];

/** Returns random markup: allowed and forbidden elements, wrongly nested, with attributes of all kinds. */
function randomMarkup(random: () => number): string {
  const one = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const tags = random() < 0.8 ? TAGS : `${TAGS} ${FORBIDDEN}`;
  return Array.from({ length: 1 + Math.floor(random() * 24) }, () => {
    const chance = random();
    if (chance < 0.35) return one(TEXTS);
    const tag = one(tags.split(' '));
    if (chance < 0.6) return `</${tag}>`;
    if (chance < 0.61) return `<${tag} is="x-y">`;
    const attributes = Array.from({ length: Math.floor(random() * 3) }, () => one(ATTRIBUTES));
    return `<${[tag, ...attributes].join(' ')}>`;
  }).join('');
}

test('sanitizes markup that is parsed at once as markup that is parsed in pieces: hostile, strange and random markup', async () => {
  const random = seededRandom(SEED);
  const pages = [
    ...HOSTILE_MARKUP,
    ...STRANGE_MARKUP,
    ...Array.from({ length: RANDOM_PAGES }, () => randomMarkup(random)),
  ];
  const page = await (await workerBrowser()).newPage();
  try {
    await page.addScriptTag({ content: script });
    const differing = await page.evaluate(
      (all) =>
        all.flatMap((html) => {
          const [inPieces, atOnce] = sanitizeBoth(html);
          return inPieces === atOnce ? [] : [{ html, inPieces, atOnce }];
        }),
      pages,
    );
    expect(differing.slice(0, 3)).toEqual([]);
  } finally {
    await page.close();
  }
});
