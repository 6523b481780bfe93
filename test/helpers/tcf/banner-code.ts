import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import type { TcChoice, TcFrame } from '../../../sdk/banner/src/tcf/encode';

export type { TcChoice, TcFrame };

interface StringCode {
  encode(choice: TcChoice, frame: TcFrame): string;
  decode(string: string): TcChoice;
  idsOf(text: string): number[];
}

/** What the banner writes and reads strings and ranges with: a file of its own package, which is one of ES modules. */
function load(name: 'encode' | 'decode' | 'ids'): StringCode {
  const source = readFileSync(join(__dirname, '../../../sdk/banner/src/tcf', `${name}.ts`), 'utf8');
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = transpileModule(source, { compilerOptions });
  const exported = {} as StringCode;
  new Function('exports', outputText)(exported);
  return exported;
}

export const { encode } = load('encode');
export const { decode } = load('decode');
export const { idsOf } = load('ids');
