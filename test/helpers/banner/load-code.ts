import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';

const SOURCES = join(__dirname, '../../../sdk/banner/src');

/** A file of the banner, with those that it imports: its package is one of ES modules. @param path such as `tcf/ids.ts` */
export function loadCode<Code>(path: string): Code {
  const source = readFileSync(join(SOURCES, path), 'utf8');
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = transpileModule(source, { compilerOptions });
  const exported = {};
  const load = (name: string): unknown => loadCode(join(path, '..', name.replace(/\.js$/, '.ts')));
  new Function('exports', 'require', outputText)(exported, load);
  return exported as Code;
}
