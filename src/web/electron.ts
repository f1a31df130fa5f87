export const app = 1;
export const ipcMain = 2;
export const webContents = 3;
export default { app };
