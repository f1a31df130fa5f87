import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type StandInTools, standInTools } from '#tests/builders/standInTools.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { stopLimits } from '../../testing/processState.ts';
import { type ToolEnd, runTool } from './runTool.ts';

const ended = (path: string) => runTool({ path, args: ['--', 'ada'], limitMs: 60_000 });

const LIMIT_MS = 200;
/** From SIGTERM to SIGKILL. */
const GRACE_MS = 500;
const LOOP = 'while :; do sleep 0.05; done';
const isReady = ({ folder }: StandInTools) => existsSync(join(folder, 'ready'));

/** Runs useradd, and lets this time pass as soon as it is ready. */
async function runToItsLimit(tools: StandInTools, ms: number): Promise<ToolEnd> {
  const pass = stopLimits();
  const end = runTool({ path: tools.useradd, args: [], limitMs: LIMIT_MS });
  await pass(() => isReady(tools), ms);
  return end;
}

describe('runTool', () => {
  it('resolves to the exit code and the output', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'echo out; echo err >&2; exit 9');
    expect(await ended(tools.useradd)).toEqual({
      code: 9,
      timedOut: false,
      stdout: 'out\n',
      stderr: 'err\n',
    });
  });

  it('resolves without a code, but with the reason, when the tool does not exist', async () => {
    const { code, timedOut, stderr } = await ended('/nonexistent/useradd');
    expect({ code, timedOut }).toEqual({ code: undefined, timedOut: false });
    expect(stderr).toContain('ENOENT');
  });

  it('resolves to the exit code of a tool that does not read its input', async () => {
    const tools = standInTools();
    const input = 'x'.repeat(1_000_000);
    const end = await runTool({ path: '/bin/false', args: [], input, limitMs: 60_000 });
    expect(end.code).toBe(1);
    expect(tools.calls()).toEqual([]);
  });

  it('gives the tool a small environment, no shell and a session of its own', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'cut -d" " -f6 < /proc/$$/stat; echo $$');
    vi.stubEnv('HOSTAUTH_PORT', '4321');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { stdout } = await runTool({ path: tools.useradd, args: ['--', '$(id) `id` ;'], limitMs: 60_000 });
    const [session, pid] = stdout.trim().split('\n');
    expect(session).toBe(pid);
    const [call] = tools.calls();
    expect(call?.commandLine).toBe(`/bin/sh ${tools.useradd} -- $(id) \`id\` ;`);
    expect(call?.environment.trim().split('\n').sort()).toEqual([
      'LC_ALL=C',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    ]);
  });

  it('ends a tool that hangs at its limit, and all that it has started', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'sleep 60 & echo $! > "$D/child"; touch "$D/ready"; wait');
    const { code, timedOut } = await runToItsLimit(tools, LIMIT_MS);
    expect({ code, timedOut }).toEqual({ code: undefined, timedOut: true });
    await vi.waitFor(
      () => expect(existsSync(`/proc/${tools.read('child').trim()}/exe`)).toBe(false),
      POLLING,
    );
  });

  it('kills a tool that ignores SIGTERM', async () => {
    const tools = standInTools();
    tools.replace('useradd', `trap "" TERM; echo $$ > "$D/pid"; touch "$D/ready"; ${LOOP}`);
    const { timedOut } = await runToItsLimit(tools, LIMIT_MS + GRACE_MS);
    expect(timedOut).toBe(true);
    await vi.waitFor(() => expect(existsSync(`/proc/${tools.read('pid').trim()}/exe`)).toBe(false), POLLING);
  });

  it('resolves without a code when the tool ends with 0 after SIGTERM', async () => {
    const tools = standInTools();
    tools.replace('useradd', `trap 'touch "$D/cleaned"; exit 0' TERM; touch "$D/ready"; ${LOOP}`);
    const { code, timedOut } = await runToItsLimit(tools, LIMIT_MS);
    expect({ code, timedOut }).toEqual({ code: undefined, timedOut: true });
    expect(existsSync(join(tools.folder, 'cleaned'))).toBe(true);
  });

  it('resolves to the code at the limit when another process keeps the pipes open', async () => {
    const tools = standInTools();
    tools.replace('useradd', 'sleep 20 & echo $! > "$D/child"; echo $$ > "$D/pid"; touch "$D/ready"; exit 0');
    const pass = stopLimits();
    const end = runTool({ path: tools.useradd, args: [], limitMs: LIMIT_MS });
    // Its exit is known when it was reaped.
    await pass(() => isReady(tools) && !existsSync(`/proc/${tools.read('pid').trim()}`), LIMIT_MS + GRACE_MS);
    const { code, timedOut } = await end;
    process.kill(Number.parseInt(tools.read('child'), 10));
    expect({ code, timedOut }).toEqual({ code: 0, timedOut: false });
  });
});
