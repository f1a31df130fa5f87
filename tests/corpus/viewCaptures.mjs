import { action, ownActions } from './records.mjs';
import { OWN } from './windowValues.mjs';

const EXPANDED = 200;

const PAGE = { width: 1200, height: 800, pixelRatio: 1 };
const PLACE = { message: 3, id: 'm3', offset: -12 };
const ZOOM = { factor: 2.5, x: 10.25, y: -4 };
const PART = { message: 1, id: 'm1', item: 0, part: 'text', steps: 1 };

const page = (change) => ['page/resized', { ...PAGE, ...change }];
const rested = (change) => ['scroll/rested', { ...PLACE, ...change }];
const zoomed = (change) => ['viewer/zoomed', { ...ZOOM, ...change }];
const expansion = (change) => ['expansion/changed', { ...PART, ...change }];
const messageMenu = (message) => ['messageMenu/opened', { message }];
const closedWith = (choice) => ['messageMenu/closed', { choice }];

/** How a person looks at a conversation: the page, the place in it, the parts that are shown, the image and the menu of a message. */
const ACTS = [
  page(),
  page({ width: 0, height: 600, pixelRatio: 1.5 }),
  ['scroll/leftBottom'],
  rested(),
  rested({ message: 0, id: '', offset: 0 }),
  ['scroll/reachedBottom'],
  rested(),
  expansion(),
  expansion({ item: null, part: 'items' }),
  expansion({ item: 1 }),
  expansion({ message: 2 }),
  expansion({ part: 'source' }),
  expansion({ id: 'another', steps: 2 }),
  expansion({ part: 'source', steps: 0 }),
  expansion({ part: 'markup', steps: 0 }),
  expansion({ part: 'markup' }),
  expansion({ part: 'sourceText' }),
  expansion({ item: null, part: 'items', steps: 3 }),
  ['viewer/opened', { message: 1, item: 0 }],
  zoomed(),
  zoomed({ factor: 0.5 }),
  ['viewer/opened', { message: 2, item: 0 }],
  zoomed({ x: 0 }),
  ['viewer/closed'],
  messageMenu(2),
  messageMenu(0),
  closedWith('copyText'),
  messageMenu(3),
  closedWith(null),
];

/** What is set before each reset. */
const SET = [page(), rested(), expansion(), zoomed(), messageMenu(2)];

/** Acts that reset what {@link SET} has set; the page keeps its size. */
const RESETS = [
  ['startFailure/changed', { failure: { canSave: true } }],
  ['startFailure/changed', { failure: null }],
  ['view/changed', { view: 'conversation' }],
];

/** Acts whose payloads do not fit: none of them changes what {@link SET} has set. */
const REFUSED = [
  ...['width', 'height'].flatMap((side) => [-1, 0.5].map((value) => page({ [side]: value }))),
  ...[0, '1'].map((pixelRatio) => page({ pixelRatio })),
  page({ more: 1 }),
  ...[{ message: -1 }, { id: 5 }, { offset: 0.5 }, { more: 1 }].map(rested),
  ...[{ message: 0.5 }, { id: null }, { item: -1 }, { part: 'other' }, { steps: -1 }, { more: 1 }].map(
    expansion,
  ),
  ...[{ factor: 0 }, { x: '1' }, { y: null }, { more: 1 }].map(zoomed),
  ...[-1, 0.5, null, undefined].map(messageMenu),
  ...['other', undefined].map(closedWith),
];

const viewChanges = () => [
  action(0, 'window/opened', { number: 1 }),
  action(0, 'window/opened', { number: 2 }),
  ...ownActions(10, 1, [...ACTS, ...RESETS.flatMap((reset) => SET.concat([reset])), ...SET, ...REFUSED]),
  ...ownActions(2000, 2, SET),
  action(2100, 'data/deleted'),
];

const report = (slices) => ['window/stateReported', { state: { ...OWN, ...slices } }];
const repeated = (length) => Array.from({ length }, () => PART);

/** Reports with these slices: accepted ones, refused ones, and as much expanded as is kept. */
const viewReports = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(10, 1, [
    report({ page: PAGE, scrolledTo: PLACE, expanded: [PART], viewerZoom: ZOOM, messageMenu: 0 }),
    ...[
      { page: { ...PAGE, pixelRatio: 0 } },
      { scrolledTo: { ...PLACE, offset: 1.5 } },
      { expanded: PART },
      { expanded: [{ ...PART, part: 'other' }] },
      { expanded: repeated(EXPANDED + 1) },
      { viewerZoom: null },
      { messageMenu: -1 },
    ].map(report),
    report({ page: null, scrolledTo: null, messageMenu: null }),
    report({ expanded: [{ ...PART, message: 0 }, ...repeated(EXPANDED - 1)] }),
    expansion({ part: 'source' }),
  ]),
];

/** The captures about how a person looks at a conversation. */
export const viewCaptures = { 'view-changes': viewChanges, 'view-reports.gz': viewReports };
