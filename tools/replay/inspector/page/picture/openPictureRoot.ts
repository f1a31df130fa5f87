import tokens from '#ui/base/tokens.css?inline';
import messages from '#ui/messages.css?inline';
import markup from '#ui/markup/markup.css?inline';
import base from '#ui/window/base/base.css?inline';
import titleBar from '#ui/window/shell/titleBar.css?inline';
import connectionBar from '#ui/window/shell/connectionBar.css?inline';
import login from '#ui/window/login.css?inline';
import conversation from '#ui/window/conversation/conversation.css?inline';
import composer from '#ui/window/conversation/composer.css?inline';
import find from '#ui/window/conversation/find.css?inline';
import place from '#ui/window/conversation/place.css?inline';
import menu from '#ui/window/shell/menu.css?inline';
import viewer from '#ui/window/viewer/viewer.css?inline';
import dialog from '#ui/window/dialogs/dialog.css?inline';
import assistant from '#ui/window/dialogs/assistant.css?inline';
import alert from '#ui/window/shell/alert.css?inline';
import note from '#ui/window/shell/note.css?inline';
import voice from '#ui/window/conversation/voice.css?inline';
import picture from '#ui/window/base/picture.css?inline';

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
