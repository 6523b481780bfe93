/**
 * The document by its own members: an element such as `<img name="cookie">`, which visitors of a site may be able to write,
 * stands in the place of the member of that name. Not the node itself, where one is needed.
 */
export const doc = new Proxy(document, {
  get(target, name) {
    const value = Reflect.get(Document.prototype, name, target);
    return value instanceof Function ? value.bind(target) : value;
  },
  set: (target, name, value) => Reflect.set(Document.prototype, name, value, target),
});
