// The entry point of the layer that listens, the only one that opens a socket for connections from others.
export { type Bounds, type Certificate, type Listener, type ListenOptions, listen } from './listen.ts';
