import { createHash } from 'node:crypto';
import { merkleTree, rootByPath } from '#page/prove/proof.ts';

/** The tree as RFC 6962, 2.1 defines it, in other words than those of the code. */
function treeHash(leaves: readonly string[]): Buffer {
  const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  if (leaves.length === 0) return hash();
  if (leaves.length === 1) return hash(Buffer.of(0), Buffer.from(leaves[0] ?? ''));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return hash(Buffer.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

describe('the tree of a proof', () => {
  it('is that of RFC 6962, and each leaf has a path to its root, for every size up to 70', () => {
    for (let size = 0; size <= 70; size += 1) {
      const leaves = lines(size);
      const { root } = merkleTree(leaves);
      expect(root).toBe(treeHash(leaves).toString('hex'));
      for (const [index, leaf] of leaves.entries()) {
        const { path } = merkleTree(leaves, index);
        expect(rootByPath(leaf, { index, size, path })).toBe(root);
      }
    }
  });

  it('has the roots that Certificate Transparency tests with', () => {
    const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'];
    const last = '606162636465666768696a6b6c6d6e6f';
    const texts = [...leaves, last].map((hex) => Buffer.from(hex, 'hex').toString('latin1'));
    expect(merkleTree(texts.slice(0, 1)).root).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    );
    expect(merkleTree(texts).root).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328');
  });

  it('gives no other leaf, place or size that root', () => {
    const leaves = lines(21);
    const { root, path } = merkleTree(leaves, 5);
    const place = { index: 5, size: 21, path };
    expect(rootByPath('line 6', place)).not.toBe(root);
    const paths = [path.slice(1), [...path, root]].map((other) => ({ path: other }));
    for (const other of [{ index: 6 }, { size: 7 }, ...paths, { index: 21 }, { index: -1 }])
      expect(rootByPath('line 5', { ...place, ...other })).not.toBe(root);
  });
});
