import { storedGroupPageSchema } from '#page/figures/group-page.ts';
import { addedStatementSchema, comparedPeriod, storedStatementSchema } from '#page/figures/statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { defined } from '#support/assertions/index.ts';
import {
  aGroupInput,
  aGroupPage,
  aMember,
  aStatement,
  aStatementInput,
} from '#support/rendering/statements.ts';

const NEW_MEMBERS = new Set([
  ...['received', 'issued', 'openBefore', 'settled', 'expired', 'openAfter', 'ageing'],
  ...['basis', 'refunded'],
]);

/** A page as earlier versions wrote it: `net.received` and `net.refunded` stay, what is new is not there. */
function asEarlier(page: unknown): unknown {
  return JSON.parse(
    JSON.stringify(page, function (this: object, name, member: unknown) {
      const isOfNet = Object.hasOwn(this, 'chargeColumns') && name !== 'basis';
      const isAmountOfMember = name === 'received' && typeof member === 'string';
      return NEW_MEMBERS.has(name) && !isOfNet && !isAmountOfMember ? undefined : member;
    }),
  );
}

const UNKNOWN = { basis: 'cameIn', received: null, charges: null, net: null, unknown: ['payments'] };

describe('a statement of an earlier version', () => {
  const written = asEarlier(aStatement());
  const statement = storedStatementSchema.parse(written);

  it('can be read, and what came in is unknown: its sum was of invoices', () => {
    expect(written).toMatchObject({ net: { received: '1260.000' } });
    expect(statement).toMatchObject({ net: UNKNOWN, received: null, openAfter: null, ageing: null });
    expect(statement.days[0]?.net).toMatchObject(UNKNOWN);
    expect(addedStatementSchema.parse(written).net).toMatchObject(UNKNOWN);
    expect(comparedPeriod(statement)).toMatchObject({ received: null, net: null });
  });

  it('has a mail that says that it is not known yet', () => {
    const { text, subject } = renderStatement(aStatementInput({ statement }));
    expect(subject).toContain('126 of 147 invoices paid');
    expect(text).toContain('What came in is not known yet');
    expect(text).toContain('What was open at the start and at the end is not known yet');
  });

  it('is not held against a newer one as if other figures had changed', () => {
    const input = aStatementInput({ statement: { ...aStatement(), revision: 2 } });
    const { text } = renderStatementCorrection({ ...input, before: statement });
    expect(text).not.toContain('unknown →');
  });
});

it('a page of a group of an earlier version can be read, and its sums are unknown', () => {
  const page = aGroupPage([aMember('700001', { usual: { received: '10.000', total: 1 } })]);
  const read = storedGroupPageSchema.parse(asEarlier(page));
  expect(read.merchants[0]).toMatchObject({ received: null, net: null, usual: null });
  expect(defined(read.byCurrency['KWD']).net).toMatchObject(UNKNOWN);
  expect(renderGroup(aGroupInput(read)).text).toContain('What came in is not known yet');
});
