#!/usr/bin/env node
import { anyApp } from './anyApp.ts';
import { runProgram } from '../program.ts';

await runProgram(anyApp);
