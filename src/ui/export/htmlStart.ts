import tokens from '../styles/tokens.css?raw';
import style from './exported.css?raw';
import { element } from './messageElement.ts';

/** The end of an exported page. */
export const HTML_END = '</main>\n</body>\n</html>\n';

const STYLE = `${tokens}${style}`;

/**
 * Returns the beginning of an exported page. Its policy allows its own style, and pictures and sounds that it contains: the file loads
 * nothing and runs nothing.
 */
export async function htmlStart(title: string, note: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE));
  const styleHash = `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`;
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    element('title', {}, title).outerHTML,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body class="exported-page">',
    '<main class="exported">',
    titleElement(title, note).outerHTML,
    '',
  ].join('\n');
}

/** Returns the title of an export, and the line below it. */
export const titleElement = (title: string, note: string): HTMLElement =>
  element('div', { class: 'exported-title' }, element('h1', { dir: 'auto' }, title), element('p', {}, note));
