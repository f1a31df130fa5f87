/**
 * Synthesizes tests/browser/assets/voice.wav, the input of the tests' fake microphone: 16 kHz, one channel, 16 bits, without
 * silence at its ends. Needs espeak-ng and sox (`apt-get install espeak-ng sox`). The repository contains the file.
 *
 *   node scripts/voice.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ASSETS = resolve(import.meta.dirname, '../tests/browser/assets');
const WORDS = 'Good morning, Parley. Can you hear me?';

const folder = mkdtempSync(join(tmpdir(), 'parley-voice-'));
const spoken = join(folder, 'spoken.wav');
const kept = join(ASSETS, 'voice.wav');
mkdirSync(ASSETS, { recursive: true });
execFileSync('espeak-ng', ['-v', 'en-gb', '-s', '150', '-w', spoken, WORDS]);
const trim = ['silence', '1', '0.05', '1%', 'reverse', 'silence', '1', '0.05', '1%', 'reverse'];
execFileSync('sox', ['-R', spoken, '-r', '16000', '-c', '1', '-b', '16', kept, ...trim, 'norm', '-3']);
rmSync(folder, { recursive: true });
process.stdout.write(`${kept}: ${statSync(kept).size} bytes\n`);
