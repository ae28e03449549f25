// Limits and checks on JSON-RPC messages, whatever carries them.
export { Handshake, type ProtocolFault, readMessage } from './read-message.ts';
export { readNestedJson } from './read-nested-json.ts';
export { writeFault, writeMessage } from './write-message.ts';
