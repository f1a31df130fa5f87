import sqlite from 'node-sqlite3-wasm';
import type { Database as SqliteDatabase } from 'node-sqlite3-wasm';

/** SQLite as WebAssembly, with Node's file system. Loading it takes about 70 ms. All its functions are synchronous. */
export const { Database } = sqlite;

/** An open database. */
export type Database = SqliteDatabase;
