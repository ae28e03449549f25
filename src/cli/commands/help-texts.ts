// Paragraphs that several commands have in their help.

export const IDS = `A preview_id is what a preview answered; "config-airlock review" lists the pending ones.
An applied preview is a change with a change_id; "config-airlock history" lists them.`;

export const TERMINAL = `Needs a real terminal on stdin and stdout: no flag and no variable stands in for a person. That
keeps out whoever can only call tools or run pipes. It does NOT keep out an agent that has a shell
as the same user: it can make a terminal. What does is a passphrase that it does not know.`;

export const SIGNATURE = `What counts is a signature by a key in the file that the server was given with --reviewers. Give
the same options as to the server, or the same --config: a preview is valid under its own options only.`;
