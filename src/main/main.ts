import { app, ipcMain } from 'electron';
import { stateSyncEnhancer } from 'electron-redux/main';
console.log(app, ipcMain, stateSyncEnhancer);
