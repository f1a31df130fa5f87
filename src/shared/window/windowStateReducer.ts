import { type Reducer, combineReducers } from '@reduxjs/toolkit';
import { stateReported, viewChanged } from '../actions/windowActions.ts';
import type { WindowState } from '../actions/windowSchemas.ts';
import {
  alertsReducer,
  dialogReducer,
  expandedReducer,
  fileDropReducer,
  findReducer,
  menuReducer,
  messageMenuReducer,
  notesReducer,
  pageReducer,
  placeReducer,
  scrollReducer,
  scrolledToReducer,
  signInFormReducer,
  soundProgressReducer,
  startFailureReducer,
  textBoxReducer,
  viewReducer,
  viewerReducer,
  viewerZoomReducer,
} from './slices.ts';
import { isOfType, NO_ACTION } from '../isOfType.ts';
import type { SharedState } from '../store/rootReducer.ts';

/** The slices of the window state. They fold the actions of the window state and nothing else. */
const windowStateReducers = {
  view: viewReducer,
  signInForm: signInFormReducer,
  textBox: textBoxReducer,
  fileDrop: fileDropReducer,
  alerts: alertsReducer,
  notes: notesReducer,
  dialog: dialogReducer,
  menu: menuReducer,
  scroll: scrollReducer,
  place: placeReducer,
  startFailure: startFailureReducer,
  soundProgress: soundProgressReducer,
  viewer: viewerReducer,
  find: findReducer,
  page: pageReducer,
  scrolledTo: scrolledToReducer,
  expanded: expandedReducer,
  viewerZoom: viewerZoomReducer,
  messageMenu: messageMenuReducer,
};

const foldWindowState: Reducer<WindowState> = combineReducers(windowStateReducers);

/** The state of a window's store: what the window shows is a function of it. */
export interface ShownState extends SharedState {
  readonly own: WindowState;
}

/** The state of a window whose page has just loaded. */
export const initialWindowState: WindowState = foldWindowState(undefined, NO_ACTION);

/** Returns the state of a window as a new one of its size has it, in this view: what the window shows next may be another person's. */
export function resetWindowState(own: WindowState, view = own.view): WindowState {
  const reset = { ...initialWindowState, view, page: own.page };
  const slices = new Map<string, unknown>(Object.entries(reset));
  return Object.entries(own).every(([slice, value]) => value === slices.get(slice)) ? own : reset;
}

/** Reduces a window's state: in the window itself, in main's copy and in a replay. Another view begins with the state of a new window. */
export const windowStateReducer: Reducer<WindowState> = (state = initialWindowState, action) => {
  if (isOfType(action, stateReported)) return action.payload.state;
  return isOfType(action, viewChanged)
    ? resetWindowState(state, action.payload.view)
    : foldWindowState(state, action);
};
