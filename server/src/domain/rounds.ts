/**
 * What waits, by its sender. A sender is a path, from the widest group to the narrowest: the groups of each
 * level take turns. All paths are equally long.
 */
export class Rounds<Item> {
  /** The group whose turn is next comes first. */
  private readonly groups = new Map<string, Rounds<Item>>();
  private items: Item[] = [];
  size = 0;

  add([name, ...inner]: readonly string[], item: Item): void {
    this.size += 1;
    if (name === undefined) {
      this.items.push(item);
      return;
    }
    const group = this.groups.get(name) ?? new Rounds<Item>();
    this.groups.set(name, group);
    group.add(inner, item);
  }

  /** How much of a group of the widest level waits. */
  sizeOf(name: string): number {
    return this.groups.get(name)?.size ?? 0;
  }

  /** Takes out what is next; its groups go to the end of their rounds. */
  next(): Item | undefined {
    const [first] = this.groups;
    if (first === undefined) return this.took(this.items.shift());
    const [name, group] = first;
    const item = group.next();
    this.groups.delete(name);
    if (group.size > 0) this.groups.set(name, group);
    return this.took(item);
  }

  /** Takes out the newest of whoever has the most, in one group or in all. */
  drop(name = this.largest()): Item | undefined {
    const group = name === undefined ? undefined : this.groups.get(name);
    if (name === undefined || group === undefined) return this.took(this.items.pop());
    const item = group.drop();
    if (group.size === 0) this.groups.delete(name);
    return this.took(item);
  }

  remove([name, ...inner]: readonly string[], item: Item): boolean {
    if (name === undefined) return this.removeOwn(item);
    const group = this.groups.get(name);
    if (group?.remove(inner, item) !== true) return false;
    if (group.size === 0) this.groups.delete(name);
    this.size -= 1;
    return true;
  }

  private removeOwn(item: Item): boolean {
    const left = this.items.filter((one) => one !== item);
    const isFound = left.length < this.items.length;
    this.items = left;
    if (isFound) this.size -= 1;
    return isFound;
  }

  /** Of equal groups the one that came last. */
  private largest(): string | undefined {
    let found: string | undefined;
    for (const [name, { size }] of this.groups)
      if (found === undefined || size >= this.sizeOf(found)) found = name;
    return found;
  }

  private took(item: Item | undefined): Item | undefined {
    if (item !== undefined) this.size -= 1;
    return item;
  }
}
