import type { MainState } from '#main/store/mainStore.ts';
import {
  FORM_DEBOUNCE_MS,
  PING_INTERVAL_MS,
  QUEUE_TICK_MS,
  RECONNECT_DELAY_MS,
  RECORDING_MS,
} from '#shared/limits.ts';
import type { World } from '../world/world.ts';

/** The most that an event of a program that is not stalled is late: timers have a precision of 1 ms. */
const LATE_MS = 2;

/** Check 7: the times of the specification. What a stall, a sleep or a kill delays is not counted. */
export class Times {
  #lastTick: number | undefined;
  #lastPing: number | undefined;
  #closedAt: number | undefined;
  #lastAuth: number | undefined;
  #mustWait = false;
  /** Whether the platform has closed for a reason: main connects again only when a person requests it. */
  #isStopped = false;
  #recordingSince: number | undefined;
  /** Until this time, the program is or was stalled. */
  #excused = 0;

  constructor(private readonly world: World) {}

  reset(): void {
    this.#lastTick = undefined;
    this.#lastPing = undefined;
    this.#closedAt = undefined;
    this.#lastAuth = undefined;
    this.#mustWait = false;
    this.#isStopped = false;
    this.#recordingSince = undefined;
  }

  /** The program is stalled until this time. */
  stalled(until: number): void {
    this.#excused = Math.max(this.#excused, until + LATE_MS);
  }

  reduced(
    { type, payload }: { readonly type: string; readonly payload?: unknown },
    { queue }: MainState,
  ): void {
    if (type === 'session/launched' || type === 'session/ended') {
      this.#lastTick = undefined;
      this.#lastPing = undefined;
      this.#closedAt = undefined;
    }
    if (type === 'session/launched' || type === 'connection/requested') this.#isStopped = false;
    this.#checkRecording(type);
    if (type !== 'update/applied' && type !== 'update/ignored') return;
    const tick =
      typeof payload === 'object' && payload !== null && 'tick' in payload ? Number(payload.tick) : NaN;
    if (tick % QUEUE_TICK_MS !== 0) this.world.fail(7, `an update was released at ${tick} ms`);
    if (this.#lastTick !== undefined && tick - this.#lastTick < QUEUE_TICK_MS)
      this.world.fail(7, `updates were released at ${this.#lastTick} and ${tick} ms`);
    this.#lastTick = tick;
    const now = this.world.now() - (queue.launchedAt ?? 0);
    if (Number.isNaN(now)) this.world.fail(7, 'an update was released without a session');
  }

  #checkRecording(type: string): void {
    const now = this.world.now();
    const since = this.#recordingSince;
    if (since !== undefined && now > since + RECORDING_MS + LATE_MS && now > this.#excused)
      this.world.fail(7, `a recording takes ${now - since} ms`);
    if (type === 'audio/recordingStarted') this.#recordingSince = now;
    if (type === 'audio/recordingStopped' || type === 'audio/recordingCancelled')
      this.#recordingSince = undefined;
  }

  opened(): void {
    this.#lastPing = this.world.now();
  }

  pinged(): void {
    const now = this.world.now();
    const passed = now - (this.#lastPing ?? now);
    if (this.#lastPing !== undefined && passed > PING_INTERVAL_MS + LATE_MS && now > this.#excused)
      this.world.fail(7, `a ping came ${passed} ms after the one before`);
    this.#lastPing = now;
  }

  closed(reason: string): void {
    this.#lastPing = undefined;
    this.#closedAt = reason === '' ? this.world.now() : undefined;
    this.#isStopped = reason !== '';
  }

  connecting(): void {
    if (this.#isStopped) this.world.fail(7, 'main connects again after a close with a reason');
    const now = this.world.now();
    const passed = now - (this.#closedAt ?? now);
    if (
      this.#closedAt !== undefined &&
      now > this.#excused &&
      Math.abs(passed - RECONNECT_DELAY_MS) > LATE_MS
    )
      this.world.fail(7, `main connects again after ${passed} ms`);
    this.#closedAt = undefined;
  }

  authCalled(): void {
    const now = this.world.now();
    if (this.#mustWait && now - (this.#lastAuth ?? -Infinity) < FORM_DEBOUNCE_MS - 20)
      this.world.fail(7, `auth was called ${now - (this.#lastAuth ?? 0)} ms after a call that failed`);
    this.#lastAuth = now;
    this.#mustWait = true;
  }

  authAnswered(status: number): void {
    if (status === 200) this.#mustWait = false;
  }
}
