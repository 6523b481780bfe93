import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import type * as Code from '../../../sdk/banner/src/gpp/encode';

/** What the banner writes GPP strings with: a file of its own package, which is one of ES modules. */
function load(): typeof Code {
  const source = readFileSync(join(__dirname, '../../../sdk/banner/src/gpp/encode.ts'), 'utf8');
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const exported = {} as typeof Code;
  new Function('exports', transpileModule(source, { compilerOptions }).outputText)(exported);
  return exported;
}

export const { US_SECTIONS, sectionOf, segmentsOf, encodeSection, encodeGpp } = load();
