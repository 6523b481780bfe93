// Loaded first by a server whose modules a test asks for: at its end it writes their paths to MODULES_FILE.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  if (process.env.MODULES_FILE)
    writeFileSync(process.env.MODULES_FILE, JSON.stringify(Object.keys(require.cache)));
});
