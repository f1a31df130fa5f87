import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Branch, EditedInfo, RequestName, Requests, SessionInfo, StepRow } from '../protocol.ts';
import { type Course, lastStep } from './course.ts';
import type { CourseLoader } from './courseLoader.ts';
import { type KnownConversation, conversationAfter, readerOf, stateAt } from './courseState.ts';
import { editCourse } from './editCourse.ts';
import { filterSteps, type StepList } from './filterSteps.ts';
import { findStep } from './findStep.ts';
import { countUpTo } from './growing.ts';
import { saveCourse } from './saveCourse.ts';
import { SessionError } from './sessionError.ts';
import { sessionInfo } from './sessionInfo.ts';
import { treeNodes } from './stateTree.ts';
import { stepRow } from './stepRow.ts';
import { messagesOf, stepView } from './stepView.ts';
import type { Task } from './task.ts';
import { done } from './task.ts';
import { timelineOf } from './timelineOf.ts';

/** Requests that are answered at once. */
type QuickName =
  | 'append'
  | 'timeline'
  | 'rows'
  | 'rowOf'
  | 'view'
  | 'messages'
  | 'children'
  | 'stepAt'
  | 'times'
  | 'save';
/** Requests that take a while on a long capture; a newer one of the same name makes the older pointless. */
type LongName = Exclude<RequestName, QuickName | 'load'>;

type Takes<N extends RequestName> = Requests[N]['takes'];
type Gives<N extends RequestName> = Requests[N]['gives'];

/** A session and what may be asked of it. */
export interface InspectorModel {
  readonly info: SessionInfo;
  readonly quick: { readonly [N in QuickName]: (takes: Takes<N>) => Gives<N> };
  readonly long: { readonly [N in LongName]: (takes: Takes<N>) => Task<Gives<N>> };
}

const MESSAGES = 60;

/** A model of what a loader has read so far. @throws {SessionError} when that is no capture. */
export function* inspectorModel(loader: CourseLoader): Task<InspectorModel> {
  const recorded = yield* loader.settle();
  const branches: Partial<Record<Branch, ShownCourse>> = { recorded: shownCourse(recorded) };
  let list: { readonly course: Course; readonly steps: StepList } | undefined;

  const shown = (branch: Branch = 'recorded'): ShownCourse => {
    const found = branches[branch];
    if (found === undefined) throw new SessionError('Nothing has been edited yet.');
    return found;
  };
  const courseOf = ({ branch }: { branch?: Branch }) => shown(branch).course;
  return {
    info: sessionInfo(recorded),
    quick: {
      append({ text }) {
        loader.take(new TextEncoder().encode(text));
        branches.recorded = shownCourse(done(loader.settle()));
        return sessionInfo(branches.recorded.course);
      },
      timeline: (takes) => timelineOf(courseOf(takes), takes),
      rows: ({ from, to }) => (list === undefined ? [] : rowsOf(list.course, list.steps, { from, to })),
      rowOf: ({ step }) => list?.steps.indexOf(step) ?? -1,
      view(takes) {
        const { course, conversationAt } = shown(takes.branch);
        const step = within(course, takes.step);
        const base = within(course, takes.base ?? step - 1);
        const [before, after] = [conversationAt(base), conversationAt(step)];
        const { branch = 'recorded', messages = MESSAGES } = takes;
        return stepView(course, { branch, step, base, before, after, messages });
      },
      messages({ branch, step, from, to }) {
        const { course, conversationAt } = shown(branch);
        return messagesOf(conversationAt(within(course, step)), from, to);
      },
      children({ branch, step, path, from, to }) {
        const { course, conversationAt } = shown(branch);
        const at = within(course, step);
        return treeNodes(stateAt(course, at, conversationAt(at)), path, { from, to });
      },
      stepAt: (takes) => Math.max(0, countUpTo(courseOf(takes).steps.times, takes.t) - 1),
      times: (takes) => timesOf(courseOf(takes), takes),
      save: (takes) => saveCourse(courseOf(takes)),
    },
    long: {
      *filter(takes) {
        const course = courseOf(takes);
        const steps = yield* filterSteps(course, takes.filter);
        list = { course, steps };
        return { count: steps.count };
      },
      find: (takes) => findStep(courseOf(takes), takes),
      *edit(takes) {
        const { course, ...found } = yield* editCourse(courseOf({}), takes.edits);
        branches.edited = shownCourse(course);
        return { info: sessionInfo(course), ...found } satisfies EditedInfo;
      },
    },
  };
}

/** A course, and the conversations that were looked at last: the next is often near. */
interface ShownCourse {
  readonly course: Course;
  conversationAt(step: number): Conversation;
}

const REMEMBERED = 4;

function shownCourse(course: Course): ShownCourse {
  let known: KnownConversation[] = [];
  return {
    course,
    conversationAt(step) {
      const updates = course.steps.updates.at(step);
      const near = known.filter((one) => one.updates <= updates).sort((a, b) => b.updates - a.updates)[0];
      const conversation = conversationAfter(course, updates, near);
      known = [{ updates, conversation }, ...known.filter((one) => one.updates !== updates)].slice(
        0,
        REMEMBERED,
      );
      return conversation;
    },
  };
}

const within = (course: Course, step: number): number =>
  Math.min(Math.max(0, Math.floor(step)), lastStep(course));

function rowsOf(course: Course, steps: StepList, { from, to }: { from: number; to: number }): StepRow[] {
  const read = readerOf(course);
  const rows: StepRow[] = [];
  for (let i = Math.max(0, from); i < Math.min(to, steps.count); i++) {
    const step = steps.at(i);
    rows.push(stepRow(course, step, read(course.steps.records.at(step))));
  }
  return rows;
}

function timesOf({ steps }: Course, { step, count }: { step: number; count: number }): Float64Array {
  const first = Math.max(0, step);
  return Float64Array.from(steps.times.all().subarray(first, first + Math.max(0, count)));
}
