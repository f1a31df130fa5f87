import { type Page } from 'playwright-core';
import { type UnknownAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import { type CaptureRecord } from '#shared/capture/captureFormat.ts';
import { type Update } from '#shared/protocol/update.ts';
import { windowOpened } from '#shared/actions/mainActions.ts';
import { type RendererWindow } from './renderer.ts';

/** Reads a window, or its picture in the inspector, without what a picture does not have: announcements, the focus, layers, rows out of view. */
export async function drawnWindow(page: Page, container: '#root' | '.window-picture') {
  const root = page.locator(container);
  const elements = await root.evaluate(describeElements);
  const outOfView = await root.evaluateHandle(hideOutOfView);
  const spoken = await root.ariaSnapshot();
  await outOfView.evaluate((rows) => rows.forEach((row) => row.removeAttribute('aria-hidden')));
  return {
    /** Roles, accessible names and texts. */
    spoken: spoken
      .replace(/^- (main|group "Window 1")/m, '- window')
      .replaceAll(' [active]', '')
      .replace(/blob:\S+/g, 'blob:')
      // The password is only in its element.
      .replace(/(textbox "Password".*): .*/, '$1'),
    /** The tag, the text, the value and the computed style of each element. */
    elements: elements.split('\n'),
  };
}

// The page receives only the source of this function, so nothing outside it exists there.
/* oxlint-disable unicorn/consistent-function-scoping */

/** Runs in the page. Hides the rows of a long conversation that are out of view; returns them. */
function hideOutOfView(root: Element): Element[] {
  const view = root.querySelector('.log-long')?.getBoundingClientRect();
  if (view === undefined) return [];
  const rows = Array.from(root.querySelectorAll('[data-row]')).filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom <= view.top + 2 || top >= view.bottom - 2;
  });
  for (const row of rows) row.setAttribute('aria-hidden', 'true');
  return rows;
}

/** Runs in the page. Returns text, because Playwright needs seconds for this many values. */
function describeElements(root: Element): string {
  for (const one of root.querySelectorAll<HTMLElement>('.visually-hidden[aria-live]')) one.hidden = true;
  for (const row of root.querySelectorAll('[data-changed]')) row.removeAttribute('data-changed');
  const plain = root.appendChild(document.createElement('div'));
  plain.style.all = 'initial';
  // Logical properties repeat physical ones.
  const left = /^(?:--|outline|app-region|window-drag)|block|inline|border-(?:end|start)-/;
  const names = Array.from(getComputedStyle(plain)).filter((name) => !left.test(name));
  const initial = names.map((name) => getComputedStyle(plain).getPropertyValue(name));
  plain.remove();
  const leftOfFocus = /^border-.*-color$/;
  const leftOfLayer = /^(?:position|overlay|z-index)$/;
  const describeStyle = (element: Element, pseudo?: string) => {
    const style = getComputedStyle(element, pseudo);
    const isField = element.matches('.text-box, .field-box');
    const isLayer = element.matches('dialog, .action-menu');
    return names.flatMap((name, index) => {
      const value = style.getPropertyValue(name);
      const isLeft =
        value === initial[index] ||
        (isField && leftOfFocus.test(name)) ||
        (isLayer && leftOfLayer.test(name));
      return isLeft ? [] : [`${name}: ${value}`];
    });
  };
  const describeValue = (element: Element) => {
    if (element instanceof HTMLInputElement)
      return element.autocomplete.endsWith('password') ? '' : `${element.value} ${element.checked}`;
    return element instanceof HTMLTextAreaElement ? element.value : '';
  };
  const limitedText = (element: Element) =>
    Array.from(element.childNodes, (node) => (node instanceof Text ? node.data : '')).join('');
  const before = (element: Element) =>
    /^(?:none|normal)$/.test(getComputedStyle(element, '::before').content)
      ? []
      : ['::before', ...describeStyle(element, '::before')];
  const view = root.querySelector('.log-long')?.getBoundingClientRect();
  const isShown = (element: Element) => {
    if (view === undefined || element.parentElement?.closest('.log-long') === null) return true;
    const row = element.closest('[data-row]')?.getBoundingClientRect();
    return row !== undefined && row.bottom > view.top + 2 && row.top < view.bottom - 2;
  };
  return Array.from(root.querySelectorAll('*'))
    .filter(isShown)
    .filter((element) => element.closest('.visually-hidden[aria-live]') === null)
    .map((element) =>
      [
        element.nodeName,
        limitedText(element),
        describeValue(element),
        ...describeStyle(element),
        ...before(element),
      ].join('; '),
    )
    .join('\n');
}

/* oxlint-enable unicorn/consistent-function-scoping */

/** Between two records, milliseconds: an update has its tick before the next record. */
const PAUSE_MS = 150;

const reportsSchema = z.array(
  z.tuple([z.number(), z.object({ type: z.string(), payload: z.unknown().optional() })]),
);

/** The session of a window with a fake main, as main records it. */
export type RecordedSession = ReturnType<typeof recordSession>;

/** Records the session of a window that has just loaded. */
export function recordSession(renderer: RendererWindow) {
  const records: CaptureRecord[] = [];
  let t = 0;
  let updates = 0;
  const add = (record: object) => records.push({ t: (t += PAUSE_MS), type: '', ...record });
  const addAction = (action: object, source = {}) => add({ type: 'action', action, ...source });
  const takeReports = async () => {
    const taken = await renderer.page.evaluate(() => window.reports.splice(0));
    for (const [, { type, payload }] of reportsSchema.parse(taken))
      addAction({ type, payload }, { window: 1 });
  };
  const { type, payload } = windowOpened(1);
  addAction({ type, payload });
  return {
    records,
    /** Returns the number of the inspector's last step so far. */
    async step() {
      await takeReports();
      return records.length + updates;
    },
    async signedIn() {
      await renderer.account('account-1');
      await takeReports();
      add({ type: 'launch' });
    },
    async apply(...applied: readonly Update[]) {
      for (const update of applied) {
        updates++;
        add({ type: 'recv', data: JSON.stringify(update.frame) });
      }
      await renderer.apply(...applied);
    },
    /** Dispatches actions of main. */
    async dispatch(...actions: readonly UnknownAction[]) {
      for (const action of actions) addAction(action);
      await renderer.dispatch(...actions);
    },
    async closed(reason: string) {
      add({ type: 'close', code: 1000, reason });
      await renderer.disconnected(reason);
    },
  };
}
