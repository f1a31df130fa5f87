import { expect, vi } from 'vitest';
import type { DebianContainer } from './debianContainer.ts';

/** A busy machine restarts a unit in a few seconds. */
const RECOVERY = { timeout: 60_000, interval: 100 };

/** The systemd units of a container. */
export interface ContainerUnits {
  /** The main process of a unit. */
  pidOf(unit: string): Promise<string>;
  /** Waits until a unit runs in another process than the previous one. */
  waitForRestart(unit: string, previous: string): Promise<void>;
  /** Adds a drop-in file to a unit; systemd reads it at its next reload. */
  addDropIn(unit: string, name: string, lines: readonly string[]): Promise<void>;
}

/** Returns the systemd units of a container. */
export const containerUnits = ({ sh }: Pick<DebianContainer, 'sh'>): ContainerUnits => ({
  async pidOf(unit) {
    return (await sh(`systemctl show --value --property=MainPID ${unit}`)).trim();
  },
  waitForRestart: (unit, previous) =>
    vi.waitFor(async () => {
      // One call: the unit can change between two.
      const shown = await sh(`systemctl show --property=ActiveState,MainPID ${unit}`);
      expect(shown).toContain('ActiveState=active\n');
      expect(['0', previous]).not.toContain(/^MainPID=(\d+)$/m.exec(shown)?.[1]);
    }, RECOVERY),
  async addDropIn(unit, name, lines) {
    const folder = `/run/systemd/system/${unit}.d`;
    await sh(`mkdir -p ${folder}; cat > ${folder}/${name}.conf <<'END'\n${lines.join('\n')}\nEND`);
  },
});
