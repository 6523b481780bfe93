// @ts-check

/**
 * Suites of browsers, of whole processes that are started and killed, of guides and of fuzzing: each takes
 * long without being long. `npm run test:quick` leaves them out, and a whole run begins with them.
 */
exports.SLOW =
  'test/(banner|console|contract-fuzz|db|docs|faults|scan|tools|webhooks/faults|reports/ropa|sdk/(package|receivers))';

/** Those of them that open pages in a browser. */
exports.BROWSER =
  'test/(banner|console|docs/(guide-banner|guide-pages|pages|search|try-it)|scan|reports/ropa)';

/**
 * Those that `npm test -- --firefox` runs in Firefox: what a visitor sees and decides, without what only Chromium's
 * driver can do (slow networks, notches of phones, other media).
 */
exports.FIREFOX =
  'test/banner/(any-origin|auto-blocking(-emptied|-later|-requests|-vendors)?|blocking|design|design-programs|diagnostics(-certain|-states|-vendors)?|dialog|gpp|gpp-tcf|gpp-who|journey|layouts|memory|order|pages-of-all-kinds|polluted|regions|shadow-roots|shared-cookie|signals|strict-dynamic|tcf|tcf-choices|tested-visitors|two-versions)\\.test';

/** Those that write to the database of the run, or ask it: what `npm test -- --cluster` runs. */
exports.CLUSTER = 'test/(cluster|api|http|ingest|jobs|reports|webhooks|db|faults|contract-fuzz|ledger)/';
