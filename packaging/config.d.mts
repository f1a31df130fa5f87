import type { Configuration } from 'electron-builder';

export const config: Configuration;
