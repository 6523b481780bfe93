import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a browser's launcher writes its process id, which is that of the group. */
export const pidFileIn = (folder: string): string => join(folder, 'pid');

/** The group of a scan's browser; 0 before it is started. */
export function groupIn(folder: string): number {
  try {
    const group = Number(readFileSync(pidFileIn(folder), 'utf8'));
    return Number.isSafeInteger(group) ? group : 0;
  } catch {
    return 0;
  }
}

/** Whether a group of processes is there, and can be ended with all that it starts. */
export function isGroup(group: number): boolean {
  try {
    return group > 1 && process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** Ends all processes of a group at once. */
export function endGroup(group: number): void {
  // 0 is this process's own group, and -1 everybody's.
  if (!isGroup(group)) return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
