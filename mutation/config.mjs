/** The configuration of Stryker. */
export const config = {
  mutate: [],
  testRunner: 'verify',
  plugins: ['verifyRunner', 'progressReporter'].map((name) => `${import.meta.dirname}/${name}.mjs`),
  buildCommand: 'node mutation/buildVerifier.mjs',
  coverageAnalysis: 'perTest',
  reporters: ['json', 'minutes'],
  jsonReporter: { fileName: 'out/mutation/report.json' },
  tempDirName: 'out/mutation/sandboxes',
  ignorePatterns: [
    '**',
    '!package.json',
    '!tsconfig.json',
    '!vite.config.ts',
    '!src/**',
    '!tools/**',
    '!tests/captures/**',
    '!mutation/*.mjs',
    '**/*.test.ts',
  ],
  concurrency: 2,
  // A mutation that is only slower is not ended, also while the machine is used.
  timeoutMS: 30_000,
  disableTypeChecks: false,
  // Stryker cannot read the configuration of TypeScript 7; nothing here needs it.
  tsconfigFile: 'mutation/none.json',
  allowConsoleColors: false,
};
