/** The inspector's HTML document. Its hosts serve it: a server, the app, or a single file (contract §7). */

interface PageStart {
  readonly title: string;
  /** Markup for the head: the styles. */
  readonly head: string;
  /** The page's configuration; see the page's `config.ts`. */
  readonly config: object;
}

/** Returns the beginning of the document: the head, the root element of the page, and its configuration. */
export const pageStart = ({ title, head, config }: PageStart): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    ${head}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>${escapeMarkup(title)}</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="application/json" id="inspector-config">${dataJson(config)}</script>
`;

/** Returns the rest of the document, with the page's script. */
export const pageEnd = (script: string): string => `    ${script}
  </body>
</html>
`;

/** Encodes JSON without `<`, so that the contents or name of a capture cannot become markup. */
const dataJson = (value: object): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

/** Escapes a text for the content of an element. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
