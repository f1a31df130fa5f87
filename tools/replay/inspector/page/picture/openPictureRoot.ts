import tokens from '#ui/styles/tokens.css?inline';
import messages from '#ui/styles/messages.css?inline';
import markup from '#ui/styles/markup.css?inline';
import base from '#ui/window/styles/base.css?inline';
import titleBar from '#ui/window/styles/titleBar.css?inline';
import connectionBar from '#ui/window/styles/connectionBar.css?inline';
import login from '#ui/window/styles/login.css?inline';
import conversation from '#ui/window/styles/conversation.css?inline';
import composer from '#ui/window/styles/composer.css?inline';
import find from '#ui/window/styles/find.css?inline';
import place from '#ui/window/styles/place.css?inline';
import menu from '#ui/window/styles/menu.css?inline';
import viewer from '#ui/window/styles/viewer.css?inline';
import dialog from '#ui/window/styles/dialog.css?inline';
import assistant from '#ui/window/styles/assistant.css?inline';
import alert from '#ui/window/styles/alert.css?inline';
import note from '#ui/window/styles/note.css?inline';
import voice from '#ui/window/styles/voice.css?inline';
import picture from '#ui/window/styles/picture.css?inline';

/** The style sheets of the window, in its order, and what a picture changes. */
const TEXTS = [
  tokens,
  messages,
  markup,
  base,
  titleBar,
  connectionBar,
  login,
  conversation,
  composer,
  find,
  place,
  menu,
  viewer,
  dialog,
  assistant,
  alert,
  note,
  voice,
  picture,
];

/** All pictures share them. */
let sheets: readonly CSSStyleSheet[] | undefined;

/**
 * Returns the shadow root of a picture, with the window's styles. In it, neither the styles nor the ids of the window and of the inspector
 * meet.
 */
export function openPictureRoot(host: Element): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  sheets ??= TEXTS.map(sheetOf);
  root.adoptedStyleSheets = [...sheets];
  return root;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
