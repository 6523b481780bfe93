// For `node --require`: a compiled program is another version. SCHEMA_OF says which: `first` knows the
// migrations of the first released schema only, `tree` those of this tree, `next` those of a version to come too.
const { join } = require('node:path');

const server = (file) => require(join(__dirname, '..', '..', '..', 'dist', 'server', 'src', file));
const { migrations } = server('db/migrations/index.js');
if (process.env.SCHEMA_OF === 'first') {
  const [first] = Object.values(require('./released.json'));
  for (const name of Object.keys(migrations)) if (!Object.hasOwn(first, name)) delete migrations[name];
} else if (process.env.SCHEMA_OF === 'next') {
  server('config/version.js').VERSION = '99.0.0';
  const tools = {
    ...server('db/backfill.js'),
    ...server('db/build-index.js'),
    ...server('db/set-not-null.js'),
  };
  Object.assign(migrations, require('./samples.cjs')(tools));
}
