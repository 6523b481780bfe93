import type { Member } from './fair-turns';

/**
 * Whose turn a login or an API key takes, as it was when this process last looked it up. A group that has too many
 * forgets its own: whoever makes keys by the thousand must not make those of others unknown.
 */
export class KnownMembers {
  /** Those last learnt come last. */
  private readonly members = new Map<string, Required<Member>>();
  private readonly ofGroups = new Map<string, Set<string>>();

  constructor(private readonly most: { group: number; all: number } = { group: 1_000, all: 20_000 }) {}

  find(name: string): Required<Member> | undefined {
    return this.members.get(name);
  }

  learn(name: string, member: Required<Member>): void {
    this.forget(name);
    this.members.set(name, member);
    const [group] = member;
    const own = this.ofGroups.get(group) ?? new Set();
    this.ofGroups.set(group, own.add(name));
    if (own.size > this.most.group) this.forgetFirst(own.keys());
    if (this.members.size > this.most.all) this.forgetFirst(this.members.keys());
  }

  forget(name: string): void {
    const member = this.members.get(name);
    if (member === undefined) return;
    this.members.delete(name);
    const own = this.ofGroups.get(member[0]);
    own?.delete(name);
    if (own?.size === 0) this.ofGroups.delete(member[0]);
  }

  private forgetFirst(names: Iterator<string>): void {
    const { value } = names.next();
    if (value !== undefined) this.forget(value);
  }
}
