import { FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * Electron's fuses, each one said: what the packaged program's executable can never be made to do, whatever it is
 * started with. A fuse that a newer Electron adds stops the packaging until it stands here.
 */
export const FUSES = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Signing comes after; on Apple's processors an executable that was changed does not start unsigned.
  resetAdHocDarwinSignature: true,
  // The program is no general Node, and takes no orders from the environment or the command line.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Only our archive, and only as it was packed (macOS and Windows check it).
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.EnableCookieEncryption]: true,
  // Our pages have a scheme of their own: a file: page needs to read nothing.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // No snapshot of our own is shipped.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // WebAssembly is not used; its traps stay as fast as Electron ships them.
  [FuseV1Options.WasmTrapHandlers]: true,
};
