// Secrets on command lines, in directives of configuration files and in statements of SQL.
import { type FoundSecret, foundIn } from './found-secret.ts';
import { isSecretName } from './key-names.ts';

/** In quotes, or up to a blank or what ends a command. */
const VALUE = String.raw`(?:\\?["'](?<quoted>[^"'\n]{1,4096}?)(?=\\?["'\n]|$)|(?<value>[^\s"'\x60;|&<>\${%\\-][^\s"'\x60;|&<>]{0,4095}))`;
/** Blanks, also over a line that goes on; a folded text goes on without a sign. */
const GAP = String.raw`(?: {1,4}|[ \t]{0,4}\\?\r?\n[ \t]{1,200})`;

/** `--password x`. In a sentence a word follows that is none. */
const FLAG = new RegExp(
  String.raw`(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,60})${GAP}(?!(?:is|the|to|and|or|for|if|in|with|which|as)\b)${VALUE}`,
  'gu',
);
/** `curl -u name:x`. */
const USER =
  /-(?<=\s-)(?:u|-(?:proxy-)?user)[ =]{0,4}\\?["']?[\w.@-]{1,100}:(?<value>[^\s"'`;|&<>]{1,4096})/gu;
/** `mysql -px`, `sshpass -p x`, `docker login -p x`, `redis-cli -a x`. */
const SHORT = new RegExp(
  String.raw`\b(?:(?:mysql|mariadb)[\w-]{0,20}[^\n;|&]{0,200}?\s["']?-p(?=[^\s"',\]]|\\?["'][^\s"',\]])|sshpass[^\n;|&]{0,60}?\s-p ?|(?:docker|podman|helm registry|skopeo|crane|buildah|oras) login[^\n;|&]{0,200}?\s-p |redis-cli[^\n;|&]{0,200}?\s-a )${VALUE}`,
  'gu',
);
const CLIENTS = /mysql|mariadb|sshpass|redis-cli|login /;
/** `requirepass x` on a line of its own; `password x` of `.netrc`; `ENV DB_PASSWORD x`. */
const DIRECTIVE =
  /^[ \t#]{0,80}(?:(?:ENV|ARG|set|user|proxy_set_header|machine \S{1,200} login \S{1,200})[ \t]+)?(?!bearer\b)(?<name>[A-Za-z][\w.]{0,60}(?:-[\w.]{1,60}){0,6})[ \t]{1,20}"?(?<value>[^\s"':={}();]{4,4096})"?;?[ \t]*\r?$/iu;
/** `spring.datasource.password:x` of a properties file. */
const PROPERTY =
  /^[ \t#]{0,80}(?<name>[\w-]{1,60}(?:\.[\w-]{1,60}){1,9}):(?<value>[^\s/]\S{0,4095})[ \t]*\r?$/u;
/** `user default on >x` of Redis. */
const ACL = /user(?<=^[ \t]{0,80}user)[ \t]{1,9}\S{1,100}[^\n]{0,200}? >(?<value>\S{1,255})/gmu;
/** `IDENTIFIED BY 'x'`, `PASSWORD 'x'`. */
const SQL =
  /(?:identified(?: with \w{1,40})? by|password(?<![$\w.-]password))\s{1,9}(?:''|\\?["'])(?<value>[^'"\n]{1,1024}?)(?=\\?["'\n]|$)/giu;

/** `named`: where names of secrets may stand, in ascending order: of directives only their lines are looked at. */
export function findInCommands(text: string, named: readonly number[]): readonly FoundSecret[] {
  return [
    ...found(text, FLAG, isSecretName),
    ...found(text, USER, () => true).filter(({ start, end }) => !/^\d+$/u.test(text.slice(start, end))),
    ...(CLIENTS.test(text) ? found(text, SHORT, () => true) : []),
    ...inLines(text, named),
    ...found(text, ACL, () => true),
    ...found(text, SQL, () => true),
  ];
}

function inLines(text: string, named: readonly number[]): readonly FoundSecret[] {
  const all: FoundSecret[] = [];
  let next = 0;
  for (const at of named) {
    if (at < next) continue;
    const from = text.lastIndexOf('\n', at) + 1;
    const end = text.indexOf('\n', at);
    next = end === -1 ? text.length : end;
    const line = text.slice(from, next);
    const inLine = [
      ...found(line, DIRECTIVE, isSecretName).filter(({ start, end: to, name }) =>
        isLikeSecret(name, line.slice(start, to)),
      ),
      ...found(line, PROPERTY, isSecretName),
    ];
    for (const one of inLine) all.push({ from, start: from + one.start, end: from + one.end });
  }
  return all;
}

/** A sentence may end in two words of which one names a secret. */
function isLikeSecret(name: string, value: string): boolean {
  return /^(?:requirepass|masterauth|[\w.]*[._][\w.]*)$/u.test(name) || /\d/u.test(value);
}

interface Named extends FoundSecret {
  readonly name: string;
}

function found(text: string, pattern: RegExp, isAsked: (name: string) => boolean): readonly Named[] {
  const matches = pattern.global
    ? text.matchAll(pattern)
    : [pattern.exec(text)].filter((one) => one !== null);
  return [...matches].flatMap(({ 0: all, index, groups = {} }) => {
    const { name = '', quoted, value = quoted ?? '' } = groups;
    if (!isAsked(name)) return [];
    const at = index + all.lastIndexOf(value);
    return foundIn(index, at, value).map((secret) => ({ ...secret, name }));
  });
}
