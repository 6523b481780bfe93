// @ts-check
// What the decorators of decorators.tsp write into the document, and what every operation must declare.
import { createTypeSpecLibrary, navigateProgram } from '@typespec/compiler';
import { getAuthentication, getHttpOperation } from '@typespec/http';
import { getExtensions, setExtension } from '@typespec/openapi';

/** @import { DecoratorContext, Program, Type } from '@typespec/compiler' */

const { reportDiagnostic } = createTypeSpecLibrary({
  name: 'avow',
  diagnostics: {
    access: {
      severity: 'error',
      messages: {
        default:
          'Say once who may call this: @role, @visitor, @visitorFile, @publicAccess, @noLogin, @webhook, or @useAuth alone.',
      },
    },
    recent: {
      severity: 'error',
      messages: {
        default:
          'Say @recentLogin or @anyLogin: this changes something for owners only, or without API keys, or deletes.',
      },
    },
    keys: {
      severity: 'error',
      messages: {
        default:
          'Say whether API keys may call this: @scope or @loginOnly, if it takes a login, and otherwise neither.',
      },
    },
  },
});

/**
 * A decorator that sets extensions to `true`.
 * @param {string[]} names
 */
const mark =
  (...names) =>
  (/** @type {DecoratorContext} */ { program }, /** @type {Type} */ target) => {
    for (const name of names) setExtension(program, target, name, true);
  };

/**
 * A decorator that sets an extension to a value computed from its argument.
 * @param {string} name
 * @param {(value: any) => unknown} made
 */
const note =
  (name, made = plain) =>
  (/** @type {DecoratorContext} */ { program }, /** @type {Type} */ target, /** @type {unknown} */ value) =>
    setExtension(program, target, name, made(value));

/**
 * A TypeSpec value as JSON; an enum member becomes its value.
 * @param {any} value
 * @returns {unknown}
 */
function plain(value) {
  if (value === null || typeof value !== 'object') return value;
  if (value.valueKind === 'EnumValue') return value.value.value ?? value.value.name;
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

export const $decorators = {
  Avow: {
    role: note('x-role'),
    scope: note('x-scope'),
    loginOnly: mark('x-login-only'),
    recentLogin: mark('x-recent-login'),
    anyLogin: mark('x-any-login'),
    visitor: mark('x-visitor'),
    visitorFile: mark('x-visitor', 'x-file'),
    publicAccess: mark('x-public'),
    noLogin: mark('x-no-login'),
    anyOrigin: mark('x-any-origin'),
    optionalLogin: mark('x-optional-login'),
    anyQuery: mark('x-any-query'),
    requestLimit: note('x-limit'),
    ownTransaction: mark('x-own-transaction'),
    message: note('x-message'),
    webhook: note('x-webhook'),
    download: mark('x-download'),
    exports: mark('x-exports'),
    changesNothing: mark('x-changes-nothing'),
    lines: note('x-line-schema', ({ name }) => ({ $ref: `#/components/schemas/${name}` })),
    answerExample: note('x-answer-example'),
    atLeastOneField: note('minProperties', () => 1),
    propertyNames: note('propertyNames', (pattern) => ({ pattern })),
  },
};

/**
 * Every operation must say who may call it, so that none is open by mistake.
 * @param {Program} program
 */
export function $onValidate(program) {
  navigateProgram(program, {
    operation(target) {
      if (target.node === undefined || target.interface?.namespace?.name !== 'Avow') return;
      const marks = getExtensions(program, target);
      const said = ['x-role', 'x-visitor', 'x-public', 'x-no-login', 'x-webhook'].filter((name) =>
        marks.has(name),
      );
      const login = getAuthentication(program, target) ?? getAuthentication(program, target.interface);
      // A role needs a login; every other mark is for callers without one.
      const needsLogin = said.length === 0 || said[0] === 'x-role';
      const alone = said.length <= 1 && needsLogin === (login !== undefined);
      if (!alone) reportDiagnostic(program, { code: 'access', target });
      const takesLogin = login !== undefined || marks.has('x-optional-login');
      const saidOfKeys = ['x-scope', 'x-login-only'].filter((name) => marks.has(name));
      if (saidOfKeys.length !== (takesLogin ? 1 : 0)) reportDiagnostic(program, { code: 'keys', target });
      const saidOfAge = ['x-recent-login', 'x-any-login'].filter((name) => marks.has(name));
      if (saidOfAge.length !== (mustSayAge(program, target, login, marks) ? 1 : 0))
        reportDiagnostic(program, { code: 'recent', target });
    },
  });
}

/**
 * Whether an operation changes what only owners or people may change, or deletes.
 * @param {Program} program
 * @param {import('@typespec/compiler').Operation} target
 * @param {unknown} login
 * @param {ReadonlyMap<string, any>} marks
 */
function mustSayAge(program, target, login, marks) {
  if (login === undefined || marks.has('x-optional-login')) return false;
  const [{ verb }] = getHttpOperation(program, target);
  if (verb === 'get') return false;
  return verb === 'delete' || marks.has('x-login-only') || marks.get('x-role') === 'owner';
}
