import { parseTree } from 'jsonc-parser';
import type { Node } from 'jsonc-parser';

/** Where the parts of a JSON text are. */
export class JsonPlaces {
  readonly #root: Node | undefined;
  /** The properties of objects by name. `findNodeAtLocation` would look through all of them each time. */
  readonly #properties = new WeakMap<Node, ReadonlyMap<string, Node>>();

  /** @param text JSON that does not nest deeply */
  constructor(text: string) {
    this.#root = parseTree(text);
  }

  #propertyOf(object: Node, name: string): Node | undefined {
    let properties = this.#properties.get(object);
    if (properties === undefined) {
      // Of a name that appears twice, the last value is the one that is used.
      properties = new Map((object.children ?? []).map((property) => [keyOf(property), property]));
      this.#properties.set(object, properties);
    }
    return properties.get(name);
  }

  /**
   * The offset of a value, or of its name.
   *
   * @returns that of the innermost part around it, when it is missing
   */
  offsetOf(path: readonly PropertyKey[], wants: 'value' | 'name'): number {
    let node = this.#root;
    if (node === undefined) return 0;
    let at = node.offset;
    for (const [index, step] of path.entries()) {
      const isLast = index === path.length - 1;
      const property =
        node.type === 'object' ? this.#propertyOf(node, String(step)) : node.children?.[Number(step)];
      if (property === undefined) return at;
      const value: Node = node.type === 'object' ? (property.children?.[1] ?? property) : property;
      at = isLast && wants === 'name' ? property.offset : value.offset;
      node = value;
    }
    return at;
  }
}

function keyOf(property: Node): string {
  const name: unknown = property.children?.[0]?.value;
  return typeof name === 'string' ? name : '';
}
