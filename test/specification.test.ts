import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type Json, resolve } from '../server/src/contract/document';
import { loadContract } from '../server/src/contract/operations';
import { OPERATION_RULES } from '../spec/generated/rules';

const ROOT = join(__dirname, '..');
const SPEC = join(ROOT, 'spec');
const { operations, document } = loadContract();

/** Every object of the document, deep. */
function* objectsOf(node: Json, place = ''): Generator<[place: string, object: Json]> {
  if (node === null || typeof node !== 'object') return;
  yield [place, node];
  for (const [name, inner] of Object.entries(node)) yield* objectsOf(inner, `${place}/${name}`);
}

const requests = operations.map(({ id, path, method }) => ({
  id,
  item: document.paths[path][method.toLowerCase()],
}));
const events = Object.entries<Json>(document.webhooks).map(([event, { post }]) => ({ event, item: post }));

describe('the sources', () => {
  const sources = readdirSync(SPEC, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsp'),
  );

  test('no line is longer than 140 characters', () => {
    expect(sources.length).toBeGreaterThan(20);
    const long = sources.flatMap((name) =>
      readFileSync(join(SPEC, name), 'utf8')
        .split('\n')
        .flatMap((line, index) => (line.length > 140 ? [`${name}:${index + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  /** What the compiler says of the specification with further operations. */
  function compileWith(declarations: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'avow-specification-'));
    try {
      cpSync(SPEC, join(folder, 'spec'), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      appendFileSync(join(folder, 'spec', 'verify.tsp'), `interface Added {\n${declarations}\n}\n`);
      const compiler = join(ROOT, 'node_modules/@typespec/compiler/cmd/tsp.js');
      // Into a file: the end of what is written to a pipe can be lost when a process ends at once.
      const output = join(folder, 'output.txt');
      const file = openSync(output, 'w');
      spawnSync(process.execPath, [compiler, 'compile', 'spec', '--no-emit'], {
        cwd: folder,
        stdio: ['ignore', file, file],
      });
      closeSync(file);
      return stripVTControlCharacters(readFileSync(output, 'utf8'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test('a misspelt rule does not compile', () => {
    const said = compileWith(`
      @role(Role.vieweer) @useAuth(BearerAuth) @get @route("/a") first(): Ok<DomainVerification>;
      @visitorr @get @route("/b") second(): Ok<DomainVerification>;
      @requestLimit("many") @noLogin @get @route("/c") third(): Ok<DomainVerification>;`);
    expect(said).toContain("Enum doesn't have member vieweer");
    expect(said).toContain('Unknown decorator @visitorr');
    expect(said).toContain("is not assignable to parameter of type 'valueof int32'");
  }, 120_000);

  test('an operation does not compile unless it says once who may call it', () => {
    const said = compileWith(`
      @get @route("/a") nobody(): Ok<DomainVerification>;
      @visitor @publicAccess @get @route("/b") twice(): Ok<DomainVerification>;
      @role(Role.viewer) @get @route("/c") withoutLogin(): Ok<DomainVerification>;
      @visitor @useAuth(BearerAuth) @get @route("/d") visitorWithLogin(): Ok<DomainVerification>;
      @visitor @get @route("/e") fine(): Ok<DomainVerification>;
      @useAuth(BearerAuth) @loginOnly @get @route("/f") alsoFine(): Ok<DomainVerification>;
      @useAuth(BearerAuth) @scope(Scope.dsar_read) @get @route("/g") fineWithKey(): Ok<DomainVerification>;
      @useAuth(BearerAuth) @get @route("/h") noWordOfKeys(): Ok<DomainVerification>;
      @visitor @scope(Scope.dsar_read) @get @route("/i") keyOfVisitor(): Ok<DomainVerification>;
      @role(Role.viewer) @useAuth(BearerAuth) @scope(Scope.dsar_read) @loginOnly @get @route("/j") keyTwice():
        Ok<DomainVerification>;`);
    expect(said.match(/avow\/access: Say once who may call this/g)).toHaveLength(4);
    for (const name of ['noWordOfKeys', 'keyOfVisitor', 'keyTwice']) expect(said).toContain(`${name}()`);
    expect(said.match(/avow\/keys: Say whether API keys may call this/g)).toHaveLength(4);
    expect(said).not.toMatch(/fine(withkey)?\(\)/i);
  }, 120_000);
});

describe('for generators of clients', () => {
  test('every operation and every webhook has an id of its own, a summary and described parameters', () => {
    const all = [...requests.map(({ item }) => item), ...events.map(({ item }) => item)];
    const ids = all.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      all.filter(({ summary }) => !/^[A-Z].{3,60}[^.]$/.test(summary)).map((one) => one.operationId),
    ).toEqual([]);
    const bare = all.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .map((parameter: Json) => resolve(parameter))
        .filter(({ description }: Json) => !description)
        .map(({ name }: Json) => `${operationId} ${name}`),
    );
    expect(bare).toEqual([]);
  });

  test('the server has a description of a few words, which stands in the first line of a client', () => {
    expect(document.servers).toEqual([
      { url: '/', description: expect.stringMatching(/^[A-Z][\w ]{2,30}$/), variables: {} },
    ]);
  });

  test('bodies and envelopes are named models', () => {
    const anonymous = requests.flatMap(({ id, item }) =>
      [item.requestBody, ...Object.values<Json>(item.responses)].flatMap((part) => {
        const schema = part?.content?.['application/json']?.schema;
        // Two refusals with one status are a choice between two named models.
        const named = [schema, ...(schema?.anyOf ?? [])].some((one) => one?.$ref !== undefined);
        return schema === undefined || named ? [] : [id];
      }),
    );
    expect(anonymous).toEqual([]);
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['ConsentRecordEnvelope', 'ConsentRecordPage', 'ConsentRecordPageEnvelope']),
    );
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([]);
  });

  test('what a line of an export holds is a model of the document', () => {
    const streams = requests.filter(({ item }) => item.responses[200]?.content?.['application/x-ndjson']);
    expect(streams.map(({ id }) => id)).toContain('exportConsents');
    for (const { item } of streams) expect(resolve(item['x-line-schema']).type).toBe('object');
  });

  test('no allOf of one schema, no anyOf of a plain type and null', () => {
    const wrapped = [...objectsOf(document)].filter(
      ([, { allOf, anyOf }]) =>
        allOf?.length === 1 ||
        (Array.isArray(anyOf) &&
          anyOf.some(({ type }) => type === 'null') &&
          anyOf.some(({ type }) => type !== 'null' && type)),
    );
    expect(wrapped.map(([place]) => place)).toEqual([]);
  });
});

describe('the rules that the server runs by', () => {
  /** What a visitor saves: one short text in memory, and whoever does not read it loses it. */
  const OF_VISITORS = ['saveReceipt'];

  test('what is streamed to somebody with a login is marked as a download, and nothing else', () => {
    const streamed = requests.filter(({ item }) =>
      Object.entries<Json>(item.responses).some(
        ([status, { content = {} }]) =>
          status.startsWith('2') && Object.keys(content).some((type) => type !== 'application/json'),
      ),
    );
    const withLogin = streamed
      .filter(({ id, item }) => item.security.length > 0 || OF_VISITORS.includes(id))
      .map(({ id }) => id);
    expect(withLogin).toEqual(expect.arrayContaining(['exportConsents', 'exportRopa']));
    expect(requests.filter(({ item }) => item['x-download']).map(({ id }) => id)).toEqual(withLogin);
    expect(operations.filter(({ download }) => download).map(({ id }) => id)).toEqual(withLogin);
    // Files of visitors are in memory.
    const others = streamed.filter(({ id }) => !withLogin.includes(id));
    expect(others.filter(({ item }) => item['x-file'] !== true)).toEqual([]);
  });

  test.each(requests)('$id: what its handler is given follows from the contract', ({ id, item }) => {
    const { access, transaction, ...rule } = OPERATION_RULES[id] as {
      access: string;
      transaction: boolean;
      role?: string;
      message?: string;
    };
    const { bearer, hasToken, open, role, method, takesKey } = operations.find(
      (one) => one.id === id,
    ) as (typeof operations)[0];
    expect(access).toBe(bearer ? (hasToken ? 'member' : 'account') : open && hasToken ? 'visitor' : 'public');
    expect(rule.role).toBe(role);
    expect(transaction && !(method !== 'GET' && (bearer || takesKey))).toBe(false);
    const success = Object.entries<Json>(item.responses).find(([status]) => status.startsWith('2'))?.[1];
    expect(rule.message).toBe(success.content['application/json']?.example.message);
  });

  test('what waits for others, is stored in groups or erased in portions has transactions of its own', () => {
    const own = requests.filter(({ item }) => item['x-own-transaction']).map(({ id }) => id);
    expect(own.sort()).toEqual([
      'beginLink',
      'beginSignOn',
      'changePassword',
      'checkDomain',
      'confirmTotp',
      'createConsentLink',
      'eraseSession',
      'eraseSubject',
      'finishSignOn',
      'logConsent',
      'logConsentForVisitor',
      'logoutByProvider',
      'proveLink',
      'putAnswerFilePart',
      'putAttachmentPart',
      'reauthenticate',
      'recordImpression',
      'recordVisitorConsent',
      'recordVisitorEvents',
      'redeliver',
      'savePreferences',
      'takeConsentLink',
      'testWebhook',
    ]);
    expect(own.filter((id) => OPERATION_RULES[id].transaction)).toEqual([]);
  });
});
