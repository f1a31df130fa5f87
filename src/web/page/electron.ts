export const ipcRenderer = {
  send(x: string) {
    console.log(x);
  },
};
