import { userInfo } from 'node:os';

/** Who runs this process, as the operating system names them; with `sudo`, who called it and as whom. */
export function systemUser(): string {
  const { SUDO_USER: caller } = process.env;
  const name = ownName();
  const whole = caller === undefined || caller === '' || caller === name ? name : `${caller} (as ${name})`;
  return whole.slice(0, MAX_LENGTH);
}

/** Characters, as the contract says. */
const MAX_LENGTH = 100;

/** In a container a user may have a number and no name. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
