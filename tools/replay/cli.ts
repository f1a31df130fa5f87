import { processOutput } from './output.ts';
import { replayTool } from './replayTool.ts';

process.exitCode = await replayTool(process.argv.slice(2), processOutput);
