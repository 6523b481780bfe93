import type { Migration } from '../../../server/src/db/migrations';

/** What a migration is, besides its statements. */
export type Kind = Pick<Migration, 'step' | 'config'>;

interface Place extends Kind {
  /** Tables that the same migration made: nobody uses them yet. */
  made: Set<string>;
  /** The statements before. */
  before: string[];
}

const DROP_LATER = 'older processes use it: take it away in a contract step';
const NEVER_RENAME =
  'no process bears a change of name while it runs: add the new one beside, and drop the old one in a contract step';
const BY_BACKFILL =
  'its rows stay locked until the end: use backfill() in a migration with config = { transaction: false }';
const BY_BUILD_INDEX =
  'nobody writes while it is built: use buildIndex() in a migration with config = { transaction: false }';
const ADD_LATER =
  'the whole table is read under the lock: add the column first, then the constraint NOT VALID, and validate it in a migration with config = { transaction: false }';

/** Statements as a whole: what they look like, and what to do instead. */
const STATEMENTS: [RegExp, string, 'expand'?][] = [
  [/^CREATE (UNIQUE )?INDEX (?!CONCURRENTLY\b)(?!.* ON ONLY )/i, BY_BUILD_INDEX],
  [/^(UPDATE|DELETE|MERGE)\b/i, BY_BACKFILL],
  [/^WITH\b.*\b(UPDATE|DELETE FROM|MERGE INTO)\b(?!.*SKIP LOCKED)(?<!SKIP LOCKED.*)/i, BY_BACKFILL],
  [/^TRUNCATE\b/i, `${DROP_LATER}, as a new table`],
  [/^(VACUUM|CLUSTER)\b/i, 'it rewrites the table under a lock: leave that to operators'],
  [/^LOCK\b/i, 'it keeps writers out until the end: do without'],
  [/^REINDEX (?!.*CONCURRENTLY)/i, 'nobody writes meanwhile: REINDEX … CONCURRENTLY'],
  [/^REFRESH MATERIALIZED VIEW (?!CONCURRENTLY)/i, 'nobody reads meanwhile: REFRESH … CONCURRENTLY'],
  [/^ALTER \w+ .*\bRENAME\b/i, NEVER_RENAME],
  [
    /^DROP (TABLE|VIEW|TYPE|SEQUENCE|FUNCTION|SCHEMA|DOMAIN|MATERIALIZED)\b/i,
    `${DROP_LATER} (DROP …)`,
    'expand',
  ],
  // Of a partitioned table there is no other way than to wait for a moment without readers.
  [
    /^DROP INDEX (?!CONCURRENTLY\b)(?!IF EXISTS (consents|events)_)/i,
    'readers wait: DROP INDEX CONCURRENTLY IF EXISTS, in a contract step',
  ],
  [/^DROP INDEX\b/i, 'an older process may name it in ON CONFLICT: drop it in a contract step', 'expand'],
];

/** What ALTER TABLE does, action by action. */
const ACTIONS: [RegExp, string, 'expand'?][] = [
  [/^RENAME\b/i, NEVER_RENAME],
  [
    /^ALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i,
    'the table is rewritten, and older processes expect the old type: add a column beside, back-fill it, and drop the old one in a contract step',
  ],
  [/^ADD (COLUMN )?.*\b(small|big)?serial\b/i, 'the table is rewritten: ids are made by the process'],
  [/^ADD COLUMN .*\bGENERATED\b/i, 'the table is rewritten: add a plain column, and back-fill it'],
  [
    /^ADD COLUMN .*\bDEFAULT (?!now\(\))[^,]*?\w\s*\(/i,
    'a default that differs from row to row rewrites the table: add the column without it, back-fill it',
  ],
  [
    /^ADD COLUMN (?=.*\bNOT NULL\b)(?!.*\bDEFAULT\b)/i,
    'an older process writes rows without the new column: give it a constant default',
  ],
  [/^ADD COLUMN .*\b(REFERENCES|CHECK|UNIQUE|PRIMARY KEY)\b/i, ADD_LATER],
  [
    /^ADD (CONSTRAINT \w+ )?(CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID$)/i,
    'the whole table is read under the lock: add it NOT VALID, and validate it in a migration with config = { transaction: false }',
  ],
  [
    /^ADD (CONSTRAINT \w+ )?(UNIQUE|PRIMARY KEY)\b(?!.*USING INDEX)/i,
    'an index is built under the lock: buildIndex() with unique, then ADD CONSTRAINT … USING INDEX',
  ],
  [/^ADD (CONSTRAINT \w+ )?EXCLUDE\b/i, 'it cannot be added without a lock: do without'],
  [/^SET (LOGGED|UNLOGGED|TABLESPACE|ACCESS METHOD)\b/i, 'the table is rewritten under a lock'],
  [/^DETACH PARTITION (?!.*CONCURRENTLY)/i, 'nobody writes meanwhile: DETACH PARTITION … CONCURRENTLY'],
  [/^DROP\b/i, DROP_LATER, 'expand'],
  [/^ALTER (COLUMN )?\w+ (DROP DEFAULT|SET NOT NULL)\b/i, DROP_LATER, 'expand'],
];

/** Why statements of a migration must not be, each with what to do instead. */
export function faultsOf(kind: Kind, statements: readonly string[]): string[] {
  const place: Place = { ...kind, made: new Set(), before: [] };
  return statements.flatMap(split).flatMap((statement) => {
    const advice = adviceOn(statement, place);
    place.before.push(statement);
    const made = /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(statement)?.[1];
    if (made !== undefined) place.made.add(made);
    return advice === undefined ? [] : [`${statement}: ${advice}`];
  });
}

function adviceOn(statement: string, place: Place): string | undefined {
  const step = place.step ?? 'expand';
  const find = (rules: typeof STATEMENTS, text: string): string | undefined =>
    rules.find(([pattern, , only]) => (only ?? step) === step && pattern.test(text))?.[1];
  if (place.made.has(tableOf(statement) ?? '')) return undefined;
  const [, actions] = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?\w+ (.*)$/i.exec(statement) ?? [];
  if (actions === undefined) return find(STATEMENTS, statement);
  for (const action of apart(actions)) {
    const advice = find(ACTIONS, withColumn(action)) ?? adviceOnProof(action, place);
    if (advice !== undefined) return advice;
  }
  return undefined;
}

/** SET NOT NULL reads the whole table unless a valid constraint proves it; to validate takes as long. */
function adviceOnProof(action: string, { config, before }: Place): string | undefined {
  if (/^VALIDATE CONSTRAINT\b/i.test(action) && config?.transaction !== false) {
    return 'the locks of the statements before are held meanwhile: a migration with config = { transaction: false }';
  }
  const column = /^ALTER (?:COLUMN )?(\w+) SET NOT NULL\b/i.exec(action)?.[1];
  if (column === undefined) return undefined;
  const proofs = before.map(
    (text) =>
      new RegExp(`ADD CONSTRAINT (\\w+) CHECK \\(${column} IS NOT NULL\\) NOT VALID$`).exec(text)?.[1],
  );
  const isProven = proofs.some(
    (proof) => proof && before.some((text) => text.endsWith(`VALIDATE CONSTRAINT ${proof}`)),
  );
  return isProven ? undefined : 'the whole table is read under the lock: use setNotNull()';
}

/** COLUMN may be left out. */
const withColumn = (action: string): string =>
  action.replace(
    /^ADD (?!COLUMN\b|CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)/i,
    'ADD COLUMN ',
  );

const tableOf = (statement: string): string | undefined =>
  /^(?:ALTER TABLE (?:IF EXISTS )?(?:ONLY )?|UPDATE (?:ONLY )?|DELETE FROM (?:ONLY )?|TRUNCATE (?:TABLE )?|CREATE (?:UNIQUE )?INDEX .*? ON (?:ONLY )?)"?(\w+)/i.exec(
    statement,
  )?.[1];

/** The statements of a text, in one line each, without comments, quotes of names, and what strings say. */
const split = (text: string): string[] =>
  text
    .replace(/--.*$/gm, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replace(/DO \$\$\s*BEGIN|END \$\$/gi, ';')
    .split(';')
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '');

/** The actions of ALTER TABLE: parted by commas outside of parentheses. */
function apart(actions: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of actions) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
