// In a URL or connection string only the password is masked, also below the name of a secret: the rest can be read and edited. Where the
// place of the password is not certain, the whole value is masked.
import { afterAll, expect, it } from 'vitest';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const airlock = await inlineAirlock({ 'a.yaml': '' }, { allow: ['**'] });
afterAll(() => airlock.close());

async function raw(file: string, text: string): Promise<string> {
  airlock.write(file, text);
  const outcome = await airlock.call('config_get', { file, view: 'raw' });
  return 'text' in outcome ? outcome.text : JSON.stringify(outcome);
}

/** « and » stand around the password; `host` is what an edit replaces. */
const CONNECTIONS: readonly { readonly form: string }[] = [
  { form: 'postgres://user:«hunter2»@host/db' },
  { form: 'mongodb+srv://u:«p4ssw0rd»@host.x,h2.x:27017/db?authSource=admin&w=majority' },
  { form: 'redis://:«pw12345»@host:6379/0' },
  { form: 'amqp://u:«pw1234»@host:5672/%2f' },
  { form: 'https://user:«t0k1234»@host/web.git' },
  { form: 'postgres://u:«p%40ss%3Aw»@host/db' },
  { form: 'postgres://u:«p@ss:w/x»@host/db' },
  { form: 'jdbc:postgresql://host:5432/db?user=u&password=«hunter22»&ssl=true' },
  { form: 'jdbc:sqlserver://host:1433;databaseName=d;user=sa;password=«hunter22»;encrypt=true' },
  { form: 'user:«pw1234»@tcp(host:3306)/db?parseTime=true' },
  { form: 'Server=host,1433;Database=x;User Id=sa;Password=«hunter2»;Encrypt=true' },
  { form: 'dbname=host user=u password=«hunter2» port=5432' },
  {
    form: 'DefaultEndpointsProtocol=https;AccountName=host;AccountKey=«abcDEF123456+/==»;EndpointSuffix=x.net',
  },
  { form: 'https://host.blob.x.net/c?sv=2020-08-04&sp=r&sig=«aBc%2Bdef1234567890abcdef%3D»' },
];

const PLACES: readonly { readonly file: string; readonly around: readonly [string, string] }[] = [
  { file: 'a.yaml', around: ['connectionString: ', '\n'] },
  { file: 'a.yaml', around: ['kind: Secret\nstringData:\n  uri: ', '\n'] },
  { file: 'a.yaml', around: ['env:\n  - name: DB_CONNECTION_STRING\n    value: ', '\n'] },
  { file: 'a.yaml', around: ['environment:\n  - DATABASE_URL=', '\n'] },
  { file: 'a.json', around: ['{"ConnectionString": "', '"}\n'] },
  { file: 'a.toml', around: ['connection_string = "', '"\n'] },
  { file: 't.yaml', around: ['{{- if .a }}\nurl: "', '"\n{{- end }}\n'] },
  { file: 'a.properties', around: ['spring.datasource.url=', '\n'] },
];

it.each(CONNECTIONS)(
  '$form: only the password is masked, and the host can be edited [DIS-10]',
  async ({ form }) => {
    const [, head = '', password = '', tail = ''] = /^(.*)«(.*)»(.*)$/u.exec(form) ?? [];
    for (const { file, around } of PLACES) {
      const text = around.join(`${head}${password}${tail}`);
      const shown = await raw(file, text);
      const [placeholder = 'none'] = /<secret:\w{8}>/u.exec(shown) ?? [];
      expect(shown, file).toContain(`${head}${placeholder}${tail}`);
      const old_text = `${head}${placeholder}${tail}`;
      const new_text = old_text.replace('host', 'other');
      const edits = [{ op: 'replace_text', file, old_text, new_text }];
      expect(await airlock.call('config_edit', { edits, dry_run: false }), file).toMatchObject({
        status: 'ok',
      });
      expect(airlock.disk(file)).toBe(around.join(`${head}${password}${tail}`.replace('host', 'other')));
    }
  },
);

it.each([
  'https://hooks.example.com/services/T000/B000/abcdef',
  'https://tok123456@host/x',
  'https://abcdef0123456789abcd:x@host/x',
  'postgres://u:p@host/db#part',
  'postgres://u:p@host/db?x-key=abcdef',
  'https://u:p@host/services/abcdefghij0123456789',
  'Server=host;Pwd=a b;c',
  'Server=host;Password=p;Other=perhaps',
  'abc;token=def',
  'MTIzNDU2tOken==',
  'user:p@host',
])('%s: the whole value is masked where its secret part is not certain [DIS-9]', async (value) => {
  expect(await raw('a.yaml', `db_secret: ${value}\n`)).toMatch(/db_secret: <secret:\w{8}>$/mu);
});
