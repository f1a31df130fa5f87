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
  it('spec §3.1 row 1: shows the splash at first, the form after false, the conversation after an identifier', () => {
    const { view, hear } = start();
    expect(view.get()).toBe('splash');
    hear(false);
    expect(view.get()).toBe('login');
    hear('account-1');
    expect(view.get()).toBe('conversation');
  });

  it('does not notify when the same message is repeated', () => {
    const { view, hear } = start();
    hear('account-1');
    let times = 0;
    view.subscribe(() => times++);
    hear('account-1');
    expect(times).toBe(0);
  });

  it('shows an alert for each sign-out with a reason, but not for a repeated message', () => {
    const { alerts, hear } = start();
    hear(false, 'unauthorized');
    hear(false, 'unauthorized');
    expect(alerts.get()?.text).toBe('unauthorized');
    alerts.dismiss();
    expect(alerts.get()).toBeUndefined();
    hear('account-1');
    hear(false, 'unauthorized');
    expect(alerts.get()?.text).toBe('unauthorized');
  });
});

describe('alerts', () => {
  it('are shown one after the other', () => {
    const alerts = createAlerts();
    for (const text of ['one', 'two', 'two']) alerts.show(text);
    const shown = [0, 1, 2].map(() => {
      const alert = alerts.get();
      alerts.dismiss();
      return alert;
    });
    expect(shown.map((alert) => alert?.text)).toEqual(['one', 'two', 'two']);
    expect(new Set(shown.map((alert) => alert?.id)).size).toBe(3);
    expect(alerts.get()).toBeUndefined();
  });
});
