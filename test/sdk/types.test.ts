import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { OPERATIONS } from '../../spec/generated/operations';

const sdk = join(__dirname, '../../sdk');
const expectations = join(__dirname, 'types.test-d.ts');
const { config } = ts.readConfigFile(join(sdk, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, sdk);

test('the type expectations hold', () => {
  const program = ts.createProgram([expectations], { ...options, noEmit: true });
  expect(messages(ts.getPreEmitDiagnostics(program))).toEqual([]);
}, 60_000);

test('an editor shows the contract’s description of a method', () => {
  const service = languageService(expectations);
  const position = readFileSync(expectations, 'utf8').indexOf('logConsent({');
  const info = service.getQuickInfoAtPosition(expectations, position);
  expect(ts.displayPartsToString(info?.documentation)).toBe(comments().get('logConsent'));
  const names = service.getCompletionsAtPosition(expectations, position, {})?.entries.map((e) => e.name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(OPERATIONS)));
}, 60_000);

test('every operation has a description', () => {
  for (const id of Object.keys(OPERATIONS)) expect([id, comments().has(id)]).toEqual([id, true]);
});

/** The description of every operation, as the generated table has it. */
function comments(): Map<string, string> {
  const table = readFileSync(join(sdk, '../spec/generated/operations.ts'), 'utf8');
  const found = table.matchAll(/\/\*\* ([\s\S]*?) \*\/\n {2}(\w+): \[/g);
  return new Map(Array.from(found, ([, text = '', id = '']) => [id, text]));
}

function languageService(file: string) {
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => sdk,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
  });
}

function messages(diagnostics: readonly ts.Diagnostic[]): string[] {
  return diagnostics.map((d) => {
    const line = d.file && d.start !== undefined ? d.file.getLineAndCharacterOfPosition(d.start).line + 1 : 0;
    return `${d.file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`;
  });
}
