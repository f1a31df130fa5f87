import { ipcRenderer } from 'electron';
ipcRenderer.send('x');
