// The contestants that are libraries: an edit by each as its documentation shows it.
import { parseAllDocuments } from 'yaml';

const jsYaml = await import('js-yaml').catch(() => undefined);

export const LIBRARIES = [
  {
    title: '`yaml`, document API',
    edit: (text, { kind, document, path, value }) => {
      const documents = parseAllDocuments(text, { keepSourceTokens: true, logLevel: 'silent' });
      const one = documents[document];
      if (kind === 'set') one.setIn(path, value);
      else if (kind === 'delete') one.deleteIn(path);
      else one.addIn(path, value);
      return documents.map((each) => each.toString({ lineWidth: 0 })).join('');
    },
  },
  {
    title: '`js-yaml`, load and dump',
    isMissing: jsYaml === undefined,
    edit: (text, { kind, document, path, value }) => {
      const documents = jsYaml.loadAll(text);
      const [last, ...above] = [...path].reverse();
      const holder = above.reverse().reduce((node, key) => node[key], documents[document]);
      if (kind === 'set') holder[last] = value;
      else if (kind === 'delete') delete holder[last];
      else holder[last].push(value);
      return documents.map((each) => jsYaml.dump(each, { lineWidth: -1 })).join('---\n');
    },
  },
];
