import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { errorCode } from '../base/errorCode.ts';

/** The package cannot be built. `message` is one line that says why and what to do. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

interface ToolOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a tool of the Debian package dpkg or dpkg-dev.
 * @returns its output.
 * @throws {PackageError} when it is missing or fails.
 */
export async function runPackageTool(
  name: 'dpkg-deb' | 'dpkg-shlibdeps',
  args: readonly string[],
  { cwd, env }: ToolOptions = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(name, [...args], { cwd, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (errorCode(error) === 'ENOENT') {
      throw new PackageError(`${name} is missing: run \`sudo apt-get install -y dpkg dpkg-dev\``, {
        cause: error,
      });
    }
    const stderr = 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
    throw new PackageError(`${name} failed: ${stderr || error.message}`, { cause: error });
  }
}
