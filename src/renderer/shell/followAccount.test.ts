import { describe, expect, it } from 'vitest';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { createAlerts } from './alerts.ts';
import { followAccount } from './followAccount.ts';

function start() {
  let hear: ((account: string | false, reason?: string) => void) | undefined;
  const on: ParleyBridge['on'] = (_channel, listener) => {
    hear = (...args) => void Reflect.apply(listener, undefined, args);
    return () => undefined;
  };
  const alerts = createAlerts();
  const view = followAccount({ on }, alerts.show);
  return { view, alerts, hear: (account: string | false, reason?: string) => hear?.(account, reason) };
}

describe('followAccount', () => {
  it('spec §3.1 row 1: nothing heard, the splash; false, the form; an identifier, the conversation', () => {
    const { view, hear } = start();
    expect(view.get()).toBe('splash');
    hear(false);
    expect(view.get()).toBe('login');
    hear('account-1');
    expect(view.get()).toBe('conversation');
  });

  it('the same again, nobody is told', () => {
    const { view, hear } = start();
    hear('account-1');
    let times = 0;
    view.subscribe(() => times++);
    hear('account-1');
    expect(times).toBe(0);
  });

  it('signed out for a reason, alerted each time but not when repeated', () => {
    const { alerts, hear } = start();
    hear(false, 'unauthorized');
    hear(false, 'unauthorized');
    expect(alerts.get()?.words).toBe('unauthorized');
    alerts.dismiss();
    expect(alerts.get()).toBeUndefined();
    hear('account-1');
    hear(false, 'unauthorized');
    expect(alerts.get()?.words).toBe('unauthorized');
  });
});

describe('alerts', () => {
  it('several, one after another and each by itself', () => {
    const alerts = createAlerts();
    for (const words of ['one', 'two', 'two']) alerts.show(words);
    const shown = [0, 1, 2].map(() => {
      const alert = alerts.get();
      alerts.dismiss();
      return alert;
    });
    expect(shown.map((alert) => alert?.words)).toEqual(['one', 'two', 'two']);
    expect(new Set(shown.map((alert) => alert?.id)).size).toBe(3);
    expect(alerts.get()).toBeUndefined();
  });
});
