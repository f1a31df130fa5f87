/**
 * The command `hostauth`. Its process is the helper, which asks PAM and creates users; the HTTP process is its child, without
 * the rights of root.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig, settingsHelp } from './base/config.ts';
import { forbidCoreFiles } from './base/privileges.ts';
import { endWithGrace } from './base/endWithGrace.ts';
import { createHostHelper } from './helper/helper.ts';
import { checkPam } from './helper/pam/pamBinding.ts';
import { startHttpProcess } from './httpProcess.ts';
import { installCommand } from './install/installCommand.ts';
import { packageCommand } from './install/packageCommand.ts';
import { createLogger } from './base/logger.ts';
import { fail } from './base/errors.ts';
import { notifySystemd } from './base/notifySystemd.ts';

const KEY_BYTES = 32;

function start(): void {
  const config = loadConfig();
  const missing = checkPam(config.pamService);
  if (missing !== undefined) fail(missing, 2);
  forbidCoreFiles();
  const { logger, flush } = createLogger(process.stderr.isTTY);
  process.on('exit', flush);
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    logger.warn(
      'not started as root: only the accounts that this user may check can sign in, and no user can be created',
    );
  }
  const helper = createHostHelper({
    config,
    key: randomBytes(KEY_BYTES),
    log: (level, msg, fields) => logger[level](fields, msg),
  });
  const http = startHttpProcess({
    path: join(import.meta.dirname, 'http.js'),
    env: process.env,
    isRoot,
    helper,
    logger,
    onReady: () => notifySystemd(process.env),
    onFailed: (exitCode) => process.exit(exitCode),
  });
  endWithGrace(logger, async () => {
    await http.stop();
    await helper.close();
  });
}

const program = new Command('hostauth')
  .description('Sessions for the accounts of this host, on 127.0.0.1:4320 unless the settings say otherwise.')
  .addHelpText('after', `\nSettings are environment variables:\n${settingsHelp()}`)
  .allowExcessArguments(false)
  .showSuggestionAfterError(false)
  // Without a prefix, like our other programs.
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .action(start);

for (const command of [installCommand(), packageCommand()]) {
  program.addCommand(command.copyInheritedSettings(program));
}
await program.parseAsync();
