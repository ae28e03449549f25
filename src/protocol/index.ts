// Limits and checks on JSON-RPC messages, whatever carries them.
export { Handshake, type ProtocolFault, readMessage, readNestedJson } from './read-message.ts';
export { writeFault, writeMessage } from './write-message.ts';
