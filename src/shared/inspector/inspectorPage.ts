/** The inspector's document, as each of its hosts gives it: a server, the app, or one file (contract §7). */

interface PageStart {
  readonly title: string;
  /** Markup for the head: where the styles are. */
  readonly head: string;
  /** What the host tells the page; see the page's own `config.ts`. */
  readonly config: object;
}

/** All before what the host adds: the place where the page draws itself, and its configuration. */
export const pageStart = ({ title, head, config }: PageStart): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    ${head}
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="data:," />
    <title>${escaped(title)}</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="application/json" id="inspector-config">${dataJson(config)}</script>
`;

/** The rest, with the script that draws. */
export const pageEnd = (script: string): string => `    ${script}
  </body>
</html>
`;

/** JSON that no markup can be made of: what stands in a capture or its name stays data. */
const dataJson = (value: object): string => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
