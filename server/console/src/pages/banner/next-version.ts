/** The contract's limit for a version of the privacy policy. */
const MAX_LENGTH = 40;

/** The version after one: its last number raised by one (`2026-11` → `2026-12`), else a number added (`a` → `a-2`); the day when that is too long. */
export function nextVersion(version: string): string {
  const [digits] = /[0-9]{1,9}$/.exec(version) ?? [];
  const next =
    digits === undefined
      ? `${version}-2`
      : version.slice(0, -digits.length) + String(Number(digits) + 1).padStart(digits.length, '0');
  return next.length > MAX_LENGTH ? new Date().toISOString().slice(0, 10) : next;
}
