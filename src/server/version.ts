// What clients are told of the server once: its version (a test holds it equal to package.json), and for their models
// where to start and how to be careful.

export const VERSION = '0.1.0';

export const INSTRUCTIONS = `config-airlock reads and edits configuration files under a fixed root, losslessly.
Start with config_list or list_capabilities; look at a file with config_get (view: outline) before editing it.
Edits are previews: they answer with a diff and a preview_id, and change nothing until config_apply applies that.
A failed call says what would work: follow its suggestions; its recovery_steps can be sent as they are.`;
