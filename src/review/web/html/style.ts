// The style sheet of the pages. It follows the light or dark scheme of the reader's system, and loads nothing. Colours have a contrast
// of 4.5 or more. Text of files is never reordered; see `.code`.

import { styleElement } from './html.ts';

export const STYLE = `
:root { color-scheme: light dark;
  --back: #f6f6f2; --sheet: #fff; --text: #1c2226; --soft: #566068; --rule: #dadeda; --strong-rule: #7b858b;
  --link: #1a5a86; --good: #1b6a38; --good-text: #fff; --bad: #a22b21; --warn-back: #fcf2d4; --warn-text: #654600;
  --add: #e6f5e9; --add-word: #b4e2be; --add-text: #0e4d20; --cut: #fdecea; --cut-word: #f7c5c0; --cut-text: #80211a;
  --unseen: #5b2a86; --unseen-back: #efe4f8; }
@media (prefers-color-scheme: dark) { :root {
  --back: #13171a; --sheet: #1a1f23; --text: #e5e9eb; --soft: #a3aeb6; --rule: #323a40; --strong-rule: #7d8890;
  --link: #86bfe8; --good: #7fd29a; --good-text: #0c2415; --bad: #f29a91; --warn-back: #332a10; --warn-text: #efd58d;
  --add: #13301d; --add-word: #215c35; --add-text: #bdebc9; --cut: #3b1c1a; --cut-word: #73302a; --cut-text: #f8cdc8;
  --unseen: #dcbcf7; --unseen-back: #3a2352; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--sheet); padding: .4rem .8rem; z-index: 1; }
.wide { max-width: 62rem; margin: 0 auto; padding: 0 1rem; }
header { border-bottom: 1px solid var(--rule); background: var(--sheet); }
header .wide { display: flex; flex-wrap: wrap; align-items: center; gap: .2rem 1.2rem; padding-block: .7rem; }
header form { margin-left: auto; }
.brand { font-weight: 650; letter-spacing: -.01em; flex: 1; white-space: nowrap; }
nav { display: flex; gap: 1.2rem; }
nav a { text-decoration: none; padding: .35rem 0; border-bottom: 2px solid transparent; }
nav a[aria-current="page"] { color: var(--text); border-color: var(--link); }
main.wide { padding-block: 1.5rem 2.5rem; }
main:focus { outline: none; }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.015em; margin: 0 0 .6rem; }
h2 { font-size: 1.15rem; margin: 0 0 .7rem; }
h2.code { font-size: 1rem; }
p { margin: .5rem 0; }
.soft { color: var(--soft); }
.sheet { background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px; padding: 1.1rem 1.2rem; margin: 1rem 0; }
.list { list-style: none; margin: 1rem 0; padding: 0; }
.list > li { background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px; padding: .9rem 1.1rem; margin: 0 0 .7rem; }
.list h2, .list h3 { margin: 0 0 .15rem; font-size: 1.05rem; }
.list + h2, dl + h2 { margin-top: 2rem; }
.row { display: flex; flex-wrap: wrap; gap: .3rem .8rem; align-items: baseline; justify-content: space-between; }
.badge { font-size: .82rem; font-weight: 600; border: 1px solid currentColor; border-radius: 99px; padding: .05rem .65rem; white-space: nowrap; color: var(--soft); }
.badge.good { color: var(--good); } .badge.bad { color: var(--bad); } .badge.open { color: var(--link); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: .8rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; }
.note { border-left: 4px solid var(--warn-text); background: var(--warn-back); color: var(--warn-text); border-radius: 4px; padding: .5rem .9rem; margin: .8rem 0; }
.note.good { border-color: var(--good); background: var(--add); color: var(--add-text); }
.note.bad { border-color: var(--bad); background: var(--cut); color: var(--cut-text); }
.note ul { margin: .2rem 0; padding-left: 1.1rem; }
.code, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875rem; }
.code { direction: ltr; unicode-bidi: isolate-override; white-space: pre-wrap; }
.unseen { color: var(--unseen); background: var(--unseen-back); border-radius: 3px; padding: 0 .15em; font-size: .92em; }
table { border-collapse: collapse; width: 100%; }
.changes th { text-align: left; font-weight: 500; color: var(--soft); font-size: .88rem; }
.changes th, .changes td { padding: .3rem .8rem .3rem 0; vertical-align: top; border-bottom: 1px solid var(--rule); }
.changes td:first-child { width: 50%; } .changes .soft { font-size: .85rem; } .changes .place { display: block; }
.changes .from { color: var(--cut-text); } .changes .to { color: var(--add-text); }
.diff { border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; margin: .8rem 0; }
.diff table { table-layout: fixed; }
.diff td { padding: 0 .35rem; vertical-align: top; font-size: .875rem; line-height: 1.5rem; }
.diff .number { width: 4.4em; text-align: right; color: var(--soft); font-size: .75rem; user-select: none; }
.diff .sign { width: 1.5em; text-align: center; user-select: none; }
.diff .add { background: var(--add); color: var(--add-text); } .diff .cut { background: var(--cut); color: var(--cut-text); }
.diff .add .number, .diff .cut .number { color: inherit; }
.diff ins { text-decoration: none; background: var(--add-word); border-radius: 3px; }
.diff del { text-decoration: none; background: var(--cut-word); border-radius: 3px; }
.diff .hunk td { color: var(--soft); background: var(--back); padding: .15rem .7rem; font-size: .8rem; }
.diff .end td { color: var(--soft); font-size: .8rem; }
button { font: inherit; font-weight: 600; border-radius: 8px; padding: .5rem 1.1rem; min-height: 2.75rem; cursor: pointer; border: 1px solid var(--strong-rule); background: var(--sheet); color: var(--text); }
button:hover { border-color: var(--text); }
button.good { background: var(--good); border-color: var(--good); color: var(--good-text); }
button.bad { color: var(--bad); border-color: var(--bad); }
button.plain { min-height: 0; padding: .25rem .7rem; font-weight: 500; font-size: .9rem; }
textarea, input[maxlength] { font: inherit; width: 100%; color: inherit; background: var(--back); border: 1px solid var(--strong-rule); border-radius: 8px; padding: .5rem .7rem; margin: .2rem 0 .7rem; }
label { font-weight: 600; }
.choices { display: grid; gap: 1rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.part { border-top: 1px solid var(--rule); padding: .8rem 0 .2rem; }
.part label { display: flex; gap: .6rem; align-items: center; min-height: 2rem; }
input[type="checkbox"] { width: 1.2rem; height: 1.2rem; flex: none; accent-color: var(--link); }
summary { cursor: pointer; font-weight: 600; padding: .3rem 0; }
details.small summary { font-weight: 400; color: var(--soft); font-size: .9rem; }
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 36rem) {
  h1 { font-size: 1.15rem; } h1, .list h2, .list h3 { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; } .sheet { padding: .9rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
  .diff .number { width: 3.9em; padding: 0 .15rem; } .changes thead { display: none; }
  .changes tr { display: block; } .changes td { display: inline; padding: 0 .3rem 0 0; border: 0; } .changes td:first-child { display: block; width: auto; } .changes tr { padding: .4rem 0; border-bottom: 1px solid var(--rule); }
  form button { width: 100%; } form.inline button { width: auto; } }
@media (forced-colors: active) { .diff ins, .diff del { text-decoration: underline; } }
`;

export const STYLE_ELEMENT = styleElement(STYLE);
