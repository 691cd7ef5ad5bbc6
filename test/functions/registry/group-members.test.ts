import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf } from '#registry/groups.ts';
import type { GroupMembers } from '#registry/group.ts';

const registryOf = (codes: readonly unknown[]) => ({
  merchants: codes.map((merchantCode) => ({ merchantCode })),
});
const CHAIN = registryOf(['710001', '700002', '700001', '80-1']);
const codesOf = (merchants: GroupMembers) => membersOf({ merchants }, CHAIN);

describe('the merchants of a group', () => {
  it('are all, those with a prefix, or those that it names, in the order of the registry', () => {
    expect(codesOf('all')).toEqual({ codes: ['710001', '700002', '700001', '80-1'], unknown: [] });
    expect(codesOf({ prefix: '70' })).toEqual({ codes: ['700002', '700001'], unknown: [] });
    expect(codesOf({ prefix: '9' })).toEqual({ codes: [], unknown: [] });
    expect(codesOf(['700001', '710001'])).toEqual({ codes: ['710001', '700001'], unknown: [] });
  });

  it('are named once, and those that the registry does not have are named apart', () => {
    expect(codesOf(['9', '700001', '700001', '8', '9', 'constructor'])).toEqual({
      codes: ['700001'],
      unknown: ['9', '8', 'constructor'],
    });
  });

  it('are also those whose entries cannot be used, but no entry without a code', () => {
    const registry = { merchants: [{ merchantCode: '1', reportAt: 7 }, { merchantCode: '1' }, {}, 7, null] };
    expect(membersOf({ merchants: 'all' }, registry).codes).toEqual(['1']);
  });

  it('are exactly the merchants that the group says, whatever the registry has', () => {
    const code = fc.string({ unit: fc.constantFrom('1', '7', 'a', '-'), minLength: 1, maxLength: 3 });
    const members = fc.oneof(
      fc.constant('all' as const),
      fc.record({ prefix: code }),
      fc.array(code, { minLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(code), members, (codes, merchants) => {
        const { codes: found, unknown } = membersOf({ merchants }, registryOf(codes));
        const known = [...new Set(codes)];
        const isMember = (one: string) =>
          merchants === 'all' ||
          ('prefix' in merchants ? one.startsWith(merchants.prefix) : merchants.includes(one));
        expect(found).toEqual(known.filter(isMember));
        const named = Array.isArray(merchants) ? merchants : [];
        expect(unknown).toEqual([...new Set(named)].filter((one) => !known.includes(one)));
      }),
    );
  });

  it('are found quickly: a thousand groups of twenty thousand merchants', () => {
    const registry = registryOf(Array.from({ length: 20_000 }, (_, index) => `${700_000 + index}`));
    const groups = Array.from({ length: 1_000 }, (_, index): GroupMembers => {
      if (index % 3 === 0) return 'all';
      return index % 3 === 1 ? { prefix: `70${index}` } : [`${700_000 + index}`, 'x'];
    });
    const start = performance.now();
    for (const merchants of groups) membersOf({ merchants }, registry);
    // Quadratic work would take minutes.
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
