// Holds the version, which a test compares with package.json, and the instructions for models.

export const VERSION = '0.1.0';

export const INSTRUCTIONS = `config-airlock reads and edits configuration files under a fixed root, losslessly.
Edits preview by default and change nothing until config_apply. dry_run: false writes at once where the operator allows it.
In a file with several documents give doc, e.g. "Deployment/web". A list item is found by a field: containers[name=web].image.
A value shown as <secret:…> is masked, and the letters are a fingerprint: never send one. Write a reference, or CHANGEME for a person to replace.
A failed call says what would work: its call in "again" ("Next: …") can be sent as it is.`;
