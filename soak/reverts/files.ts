import type { Revert } from './revert.ts';

/** The data folder, its files, and those of the built-in platform. */
export const fileReverts: readonly Revert[] = [
  {
    name: 'the next start removes temporary files',
    scenario: 'leftovers',
    edits: [
      {
        file: 'src/files/claimDataFolder.ts',
        now: '    removeLeftovers(path);\n',
        without: '    void removeLeftovers;\n',
      },
    ],
  },
  {
    name: 'the files of killed instances are removed',
    scenario: 'leftovers',
    edits: [
      { file: 'src/files/removeLeftovers.ts', now: `/^instance\\.json\\.\\d+(?:\\.stale)?$/u,`, without: '' },
    ],
  },
  {
    name: 'a data folder of another user is refused',
    scenario: 'starts',
    assertion: 'of another user',
    edits: [
      {
        file: 'src/files/dataFolder.ts',
        now: 'if (system.uid === ROOT) refuseRootInHomes(path);',
        without: 'void refuseRootInHomes;',
      },
      {
        file: 'src/files/dataFolder.ts',
        now: 'if (stats.uid !== uid)\n',
        without: 'if (stats.uid !== stats.uid)\n',
      },
    ],
  },
  {
    name: 'a data folder that is open to others is refused',
    scenario: 'starts',
    assertion: 'open to others',
    edits: [
      {
        file: 'src/files/dataFolder.ts',
        now: 'if ((stats.mode & OPEN_TO_OTHERS) === 0) return;',
        without: 'if (OPEN_TO_OTHERS > 0) return;',
      },
    ],
  },
  {
    name: 'a data folder that cannot be used is reported in one line',
    scenario: 'starts',
    assertion: 'a data folder that is a file',
    edits: [
      {
        file: 'src/files/dataFolder.ts',
        now: 'throw toDataFolderError(path, error);',
        without: 'throw error;',
      },
    ],
  },
  {
    name: 'a file is replaced atomically',
    scenario: 'kill-points',
    edits: [
      {
        file: 'src/files/temporaryFile.ts',
        now: 'this.#path = temporaryPath(target);',
        without: 'this.#path = target;',
      },
      {
        file: 'src/files/temporaryFile.ts',
        now: `openSync(this.#path, 'wx',`,
        without: `openSync(this.#path, 'w',`,
      },
      {
        file: 'src/files/temporaryFile.ts',
        now: 'if (this.options.isExclusive) renameExclusively(this.#path, this.target);\n    else renameSync',
        without: 'renameSync',
      },
    ],
  },
  {
    name: 'a start without a home folder prints one line',
    scenario: 'starts',
    assertion: 'no HOME',
    edits: [
      {
        file: 'src/files/dataFolder.ts',
        now: '  } catch (cause) {\n    throw new DataFolderError(',
        without:
          '  } catch (cause) {\n    if (cause !== undefined) throw cause;\n    throw new DataFolderError(',
      },
    ],
  },
  {
    name: 'a removed data folder is reported',
    scenario: 'removed-folder',
    edits: [
      {
        file: 'src/files/watchDataFolder.ts',
        now: 'if (folder.isIntact()) return;',
        without: 'if (folder !== undefined) return;',
      },
    ],
  },
  {
    name: 'no second program starts on a removed folder',
    scenario: 'removed-folder',
    assertion: 'no second',
    edits: [
      {
        file: 'src/files/claimDataFolder.ts',
        now: 'const claim = claimPath(path, owner);',
        without: 'const claim = owner === undefined ? claimPath(path, owner) : null;',
      },
    ],
  },
  {
    name: 'the built-in platform writes a message to the disk before it sends it',
    scenario: 'platform-kills',
    assertion: 'no message',
    edits: [
      {
        file: 'tools/platform/storage/platformStore.ts',
        now: 'this.#queue.enqueue({ size: frame.length, committed });',
        without: 'committed(); this.#queue.enqueue({ size: frame.length, committed: () => {} });',
      },
    ],
  },
  {
    name: 'a start without 127.0.0.1 prints one line',
    scenario: 'starts',
    assertion: 'a platform elsewhere, and a network without 127.0.0.1',
    edits: [
      {
        file: 'src/web/server/server.ts',
        now: 'throw isNoLoopback(error) ? new ListenError(NO_LOOPBACK, 1, { cause: error }) : error;',
        without: 'throw error;',
      },
    ],
  },
  {
    name: 'temporary files of version 0.1.0 are removed',
    scenario: 'leftovers',
    edits: [
      {
        file: 'src/files/removeLeftovers.ts',
        now: String.raw`/^(?:account|preferences|window)\.json\.new$/u,`,
        without: '',
      },
    ],
  },
  {
    name: 'temporary captures of version 0.1.0 are removed',
    scenario: 'leftovers',
    edits: [
      {
        file: 'src/files/removeLeftovers.ts',
        now: String.raw`[TEMPORARY_NAME, /\.parley\.jsonl\.new$/u]`,
        without: '[TEMPORARY_NAME]',
      },
    ],
  },
];
