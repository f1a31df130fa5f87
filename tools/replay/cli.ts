import { parleyTool } from './parley/parleyTool.ts';
import { runProgram } from './program.ts';

await runProgram(parleyTool);
