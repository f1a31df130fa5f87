import { FuseV1Options, FuseVersion } from '@electron/fuses';

/**
 * Electron's fuses, all of them explicit: features that the packaged executable cannot enable at run time. The packaging
 * fails when a newer Electron has a fuse that is missing here.
 */
export const FUSES = {
  version: FuseVersion.V1,
  strictlyRequireAllFuses: true,
  // Signing follows; on Apple's processors a changed executable without a new signature does not start.
  resetAdHocDarwinSignature: true,
  // The executable does not run as Node, and ignores Node's options in the environment and on the command line.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Electron loads only our archive, and only unchanged (macOS and Windows check this).
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.EnableCookieEncryption]: true,
  // Our pages use their own scheme, so file: pages need no privileges.
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // We ship no V8 snapshot.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  // We use no WebAssembly; this is Electron's default.
  [FuseV1Options.WasmTrapHandlers]: true,
};
