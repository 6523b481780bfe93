// @ts-check
// Compiles TypeSpec to the emitter's OpenAPI document, and to data that only the compiler has.
import {
  compile,
  formatDiagnostic,
  getPatternData,
  NodeHost,
  navigateProgram,
  resolveCompilerOptions,
} from '@typespec/compiler';
import { getOpenAPI3 } from '@typespec/openapi3';

const EMITTER = '@typespec/openapi3';

/**
 * Exits when the specification does not compile.
 * @param {string} folder
 */
export async function compileSpecification(folder) {
  const [options, problems] = await resolveCompilerOptions(NodeHost, { cwd: folder, entrypoint: folder });
  const program = await compile(NodeHost, folder, { ...options, noEmit: true });
  const records = await getOpenAPI3(program, options.options?.[EMITTER]);
  const diagnostics = [
    ...problems,
    ...program.diagnostics,
    ...records.flatMap(({ diagnostics }) => diagnostics),
  ];
  if (diagnostics.length > 0) {
    for (const one of diagnostics)
      process.stderr.write(`${formatDiagnostic(one, { pathRelativeTo: folder })}\n`);
    process.exit(1);
  }
  const [record] = records;
  if (record === undefined || record.versioned)
    throw new Error('The specification must describe one service without versions.');
  return {
    document: /** @type {any} */ (JSON.parse(JSON.stringify(record.document))),
    patterns: patternsOf(program),
  };
}

/**
 * The message of each pattern: the second argument of `@pattern`.
 * @param {import('@typespec/compiler').Program} program
 * @returns {Map<string, string>}
 */
function patternsOf(program) {
  const found = new Map();
  const collect = (/** @type {import('@typespec/compiler').Type} */ target) => {
    const data = getPatternData(program, target);
    if (data?.validationMessage !== undefined) found.set(data.pattern, data.validationMessage);
  };
  navigateProgram(program, { scalar: collect, modelProperty: collect });
  return found;
}
