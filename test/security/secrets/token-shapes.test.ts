// Each shape of a token as short as it may be, and one letter less of it, which is none.
import { describe, expect, it } from 'vitest';
import { findInText } from '../../../src/security/index.ts';
import { marked, unmarked } from './marked.ts';

const A = (count: number) => 'aB3'.repeat(count).slice(0, count);
const UPPER = (count: number) => 'AB3'.repeat(count).slice(0, count);
const HEX = (count: number) => '0a1b2c'.repeat(count).slice(0, count);

/** The last letter of each is needed. */
const SHORTEST = [
  ...['pat', 'dt', 'rt', 'ptt', 'cbt', 'soat', 'agent', 'ft', 'imt'].map((kind) => `gl${kind}-${A(20)}`),
  ...[`xoxe.xoxp-${A(10)}`, `xoxe.xoxb-${A(10)}`, `hooks.slack.com/triggers/${A(10)}`],
  ...[`discord.com/api/webhooks/${A(20)}`, `discordapp.com/api/webhooks/${A(20)}`],
  ...[`.webhook.office.com/webhookb2/${A(20)}`, `sk-${A(20)}`, `whsec_${A(20)}`],
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((kind) => `${kind}${UPPER(16)}`),
  ...[`AIza${A(35)}`, `ya29.${A(20)}`, `GOCSPX-${A(20)}`, `npm_${A(30)}`, `pypi-${A(20)}`],
  ...[`doo_v1_${HEX(64)}`, `dop_v1_${HEX(64)}`, `dor_v1_${HEX(64)}`],
  ...[`hvs.${A(20)}`, `hvb.${A(20)}`, `hvr.${A(20)}`, `dckr_pat_${A(20)}`, `dckr_oat_${A(20)}`],
  ...[`glsa_${A(20)}`, `glc_${A(20)}`, `hf_${A(30)}`, `lin_api_${A(30)}`, `NRAK-${UPPER(20)}`],
  ...['pt', 'st', 'ct', 'sa'].map((kind) => `dp.${kind}.${A(30)}`),
  ...[`ATATT3${A(20)}`, ...['at', 'ca', 'pa', 'ss'].map((kind) => `shp${kind}_${HEX(32)}`)],
  ...[`rubygems_${HEX(48)}`, `pul-${HEX(40)}`, `.atlasv1.${A(60)}`],
  ...[`tskey-auth-${A(15)}`, `tskey-a-${A(15)}`],
  ...[`PMAK-${HEX(24)}-${HEX(34)}`, `dapi${HEX(32)}`, `dt0c01.${UPPER(24)}.${UPPER(64)}`, `sntrys_${A(30)}`],
  ...['tkn', 'pw', 'oauth'].map((kind) => `pscale_${kind}_${A(30)}`),
  ...[`sq0atp-${A(22)}`, `sq0csp-${A(22)}`, `sbp_${HEX(40)}`, `ntn_${A(40)}`, `figd_${A(30)}`],
  ...[`CCIPAT_${A(30)}`, `CCIPRJ_${A(30)}`, `eyJhdXRocyI6${A(4)}`],
  ...['BQUklWQVRF', 'BSU0EgUFJJVkFUR', 'BFQyBQUklWQVRF', 'BPUEVOU1NIIFBSSVZBVE', 'BFTkNSWVBURUQgUFJJVkFUR']
    .concat(['BEU0EgUFJJVkFUR', 'BQR1AgUFJJVkFUR'])
    .map((kind) => `LS0tLS1CRUdJTi${kind}${A(4)}`),
];

describe('a token', () => {
  it.each(SHORTEST)('is found where %s stands, and not where its last letter is missing', (token) => {
    const text = `x "${token}" y`;
    expect(marked(text, findInText(text))).toBe(`x "«${token}»" y`);
    expect(findInText(`x "${token.slice(0, -1)}" y`)).toEqual([]);
  });
});

const ROWS: readonly string[] = [
  ...[
    `dapi${HEX(32)}-1`,
    `glc_${A(18)}+/=`,
    `sntrys_${A(28)}+/=-`,
    `ATATT3${A(18)}=-`,
    `pscale_pw_${A(28)}.=-`,
  ].map((one) => `«${one}»`),
  ...[
    `\\n«sk-${A(20)}»`,
    `xsk-${A(20)}`,
    `1sk-${A(20)}`,
    `azuredisk-provisioner-of-${'a'.repeat(20)}`,
    `-«sk-${A(20)}»`,
  ],
  ...[
    `shpat_${'g'.repeat(32)}`,
    `PMAK-${HEX(24)}x${HEX(34)}`,
    `tskey--${A(15)}`,
    `dp.xt.${A(30)}`,
    `CCIPAX_${A(30)}`,
  ],
  ...['apr1', '1', '5', '6', 'y', '2a', '2b', '2x', '2y', 'argon2id', 'argon2i', 'argon2d'].flatMap(
    (kind) => [`a:«$${kind}$${A(20)}»`, `a:«$$${kind}$$${A(20)}»`, `a:$${kind}$${A(19)}`],
  ),
  ...[`$7$${A(20)}`, `$2c$${A(20)}`, `«$6$a./$=,+-${A(20)}»`],
  ...[
    `https://«a1${A(18)}»@host`,
    `https://${'a'.repeat(20)}@host`,
    `https://a1${A(17)}@host`,
    `https://a.1${A(20)}@host`,
  ],
  ...['root:«x1»@tcp(db:3306)/a', 'root:@tcp(db)', 'root:a b@tcp(db)', 'a:«x1»@unix(/run/x)', 'a:x1@udp(db)'],
  ...[
    'jdbc:oracle:thin:scott/«tiger»@db',
    'jdbc:oracle:thin:@db',
    'jdbc:oracle:thin:scott@db',
    'jdbc:other:thin:scott/x@db',
  ],
  ...[
    `a: Token «${A(20)}»`,
    `a: token    «${A(20)}»`,
    `a: token     ${A(20)}`,
    `a: token ${A(19)}`,
    `a: token ${'a'.repeat(20)}`,
    `a: tokens ${A(20)}`,
  ],
  ...[`«12345678:AA${A(33)}»`, `12345678:AA${A(32)}`, `1234567:AA${A(33)}`, `12345678:AB${A(33)}`],
  ...[`«abc1Q~${A(31)}»`, `abc1Q~${A(30)}`, `abcdQ~${A(31)}`, `?a=b&sig=«${A(20)}»`, `?sig=«${A(18)}%3»&x`],
  ...[`?sig=${A(19)}`, `xsig=${A(20)}`],
  ...[`?X-Amz-Signature=«${A(20)}»`, `?X-Amz-Signature=${A(19)}`],
  ...[
    '‹{password: «x1»}',
    '{user: u‹, password: «x 1», a: b}',
    '{password: "changeme"}',
    '{password: [x1]}',
    'password: x1',
  ],
];

describe('what tells a secret', () => {
  it.each(ROWS)('%s', (text) => {
    const plain = unmarked(text);
    expect(marked(plain, findInText(plain))).toBe(text);
  });
});
