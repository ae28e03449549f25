// Limits and checks on JSON-RPC messages, for every transport.
export { Handshake, idOfOverlong, type ProtocolFault, readMessage } from './read-message.ts';
export { readNestedJson } from './read-nested-json.ts';
export { writeFault, writeMessage } from './write-message.ts';
