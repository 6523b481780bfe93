// For `node --require`: this machine's wall clock is off by as many milliseconds as the file in
// WALL_CLOCK_FILE says, and follows it. Nothing else is touched: the monotonic clock and timers go on, as
// they do when somebody sets a real clock.
const { readFileSync } = require('node:fs');

const Real = Date;
let offset = 0;
function read() {
  try {
    offset = Number(readFileSync(process.env.WALL_CLOCK_FILE, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
}
read();
setInterval(read, 20).unref();
const now = () => Real.now() + offset;
globalThis.Date = new Proxy(Real, {
  construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
  apply: () => new Real(now()).toString(),
  get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
});
