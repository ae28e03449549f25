// The entry point of the layer that listens: the only one that opens a socket for others to connect to.
export { type Bounds, type Certificate, type Listener, type ListenOptions, listen } from './listen.ts';
